// Two builds into one folder: the command carries its dependencies with it, the library leaves them to the installer.
import { defineConfig, type UserConfig } from "tsdown";

const both: UserConfig = {
  format: "esm",
  platform: "node",
  target: "node22.18",
  fixedExtension: false,
  clean: false,
  report: false,
};

export default defineConfig([
  {
    ...both,
    name: "command",
    entry: { cli: "src/surfaces/cli/main.ts" },
    // ripgrep's package finds its program beside itself.
    deps: { alwaysBundle: /^(?!node:|@vscode\/ripgrep)/, neverBundle: /^@vscode\/ripgrep/, onlyBundle: false },
    dts: false,
    // Names stay: a stack trace in a bug report must be readable.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    outputOptions: {
      chunkFileNames: "cli/[name]-[hash].js",
      // Each file takes its time to find and load: what every run needs is one, and what every command needs another.
      advancedChunks: {
        groups: [
          { name: "base", test: /(surfaces\/cli\/(commands|exit-code)|std\/nearest)\.ts$/, priority: 2 },
          { name: "run", test: /surfaces\/cli\/run\.ts$/, priority: 1 },
        ],
      },
    },
  },
  {
    ...both,
    name: "library",
    entry: { index: "src/index.ts", "testing/index": "src/testing/index.ts" },
    deps: { skipNodeModulesBundle: true },
    dts: true,
    outputOptions: { chunkFileNames: "library/[name]-[hash].js" },
  },
]);
