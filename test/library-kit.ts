// A host of the library in this process, with a folder to work in and a scripted model behind real HTTP.
import { onTestFinished } from "vitest";
import { createHost, type CreateHostOptions, type Host } from "../src/index.ts";
import { startWireServer, tempDir, type Script, type TempDir, type WireServer } from "../src/testing/index.ts";

export type LibraryWorld = {
  readonly host: Host;
  readonly server: WireServer;
  readonly cwd: string;
  readonly dir: TempDir;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export async function libraryWorld(script: Script, options: CreateHostOptions = {}): Promise<LibraryWorld> {
  const dir = await tempDir();
  const server = await startWireServer(script);
  const env = { ...server.env, HOME: dir.path, PATH: process.env["PATH"] };
  const host = createHost({ stateDir: dir.join("state"), env, config: {}, ...options });
  onTestFinished(async () => {
    await host.close();
    await server.close();
    await dir[Symbol.asyncDispose]();
  });
  return { host, server, cwd: dir.path, dir, env };
}
