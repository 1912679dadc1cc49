// Which sockets of a person's session commands do not reach.
import { createServer } from "node:net";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { sessionServices } from "./session-services.ts";

test("P.I04: a socket that a variable names is hidden, but for those of containers and databases", async () => {
  await using dir = await tempDir();
  mkdirSync(dir.join("run"));
  const names = ["editor.sock", "docker.sock", "mysql.sock", ".s.PGSQL.5432"];
  const servers = names.map((name) => createServer().listen(dir.join(`run/${name}`)));
  try {
    await Promise.all(servers.map((server) => once(server, "listening")));
    const env = {
      MY_EDITOR: dir.join("run/editor.sock"),
      TESTCONTAINERS_DOCKER_SOCKET_OVERRIDE: dir.join("run/docker.sock"),
      MYSQL_UNIX_PORT: dir.join("run/mysql.sock"),
      DATABASE: `postgres:///x?host=${dir.join("run/.s.PGSQL.5432")}`,
    };
    const { hide, variables } = sessionServices(env);
    expect(variables).toEqual(["MY_EDITOR"]);
    expect(hide).toContain(dir.join("run/editor.sock"));
    expect(hide.filter((path) => /docker|mysql|PGSQL/.test(path))).toEqual([]);
  } finally {
    for (const server of servers) server.close();
  }
});
