// Tests lie beside what they test; whole-program tests are in test/.
import { defineConfig } from "vitest/config";

const minutes = 60_000;
const soak = process.env.SOAK === "1";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/fixtures/**", "node_modules/**"],
    pool: "forks",
    maxWorkers: 2,
    globalSetup: "test/global-setup.ts",
    setupFiles: "test/setup.ts",
    // Deadlines are real time. On a busy build machine one may be missed for the machine's sake: such a test gets one
    // more try there, and the closing lines name it.
    retry: process.env.CI ? 1 : 0,
    testTimeout: soak ? 120 * minutes : 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    allowOnly: false,
  },
});
