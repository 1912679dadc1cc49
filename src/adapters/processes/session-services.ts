// What of a person's session would do things for a command as if they did them: type into their terminal, answer in their
// windows, start programs outside. Terminal multiplexers, the session's bus and windows, editors that listen.
import { lstatSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeIfMissing, sessionFolders } from "./session-folders.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type SessionServices = {
  /** Folders and sockets that commands do not reach. */
  readonly hide: readonly string[];
  /** Those in there that everyday work takes: keys for `git push` and signatures, containers. */
  readonly show: readonly string[];
  /** Variables that lead to them. */
  readonly variables: readonly string[];
};

/** As they are now; what a session makes later in the same places is hidden too, and so the usual places are made. */
export function sessionServices(env: Env, uid = process.getuid?.() ?? 0): SessionServices {
  const named = Object.entries(env).flatMap(([name, value = ""]) => (STAYS.test(name) ? [] : socketsIn(name, value)));
  const home = env["HOME"];
  const runtime = [`/run/user/${uid}`, ...absolute(env["XDG_RUNTIME_DIR"])];
  const temporary = [...new Set(["/tmp", ...absolute(env["TMPDIR"]), ...absolute(env["TMUX_TMPDIR"])])];
  for (const { path, mode } of sessionFolders(env, uid, temporary)) makeIfMissing(path, mode);
  return {
    hide: [
      ...runtime,
      // Where nobody has logged in yet, and we cannot make it.
      ...(namesIn("/run/user").includes(String(uid)) ? [] : ["/run/user"]),
      ...temporary.flatMap(listeningIn),
      ...["/run/screen", "/var/run/screen", "/run/tmux", "/run/uscreens"],
      ...(home && isAbsolute(home) ? AT_HOME.map((name) => join(home, name)) : []),
      ...absolute(env["SCREENDIR"]),
      ...absolute(env["ZELLIJ_SOCKET_DIR"]),
      // The folder of a multiplexer's socket, where its other servers listen too.
      ...absolute(env["TMUX"]?.split(",")[0]).map((socket) => dirname(socket)),
      ...named.map(({ socket }) => socket),
    ].filter((path) => !TOO_MUCH.has(path)),
    show: [
      ...runtime.flatMap((folder) => USEFUL.map((name) => join(folder, name))),
      ...absolute(env["SSH_AUTH_SOCK"]),
      ...absolute(env["DOCKER_HOST"]?.replace(/^unix:\/\//, "")),
    ],
    variables: [...new Set([...Object.keys(env).filter((name) => LEADS.test(name)), ...named.map(({ name }) => name)])],
  };
}

/** What a folder for all must not be emptied for. */
const TOO_MUCH = new Set(["/", "/tmp", "/run", "/var/tmp", "/dev", "/home", "/root"]);

/** In the runtime folder: agents for keys, and containers. */
const USEFUL = ["gnupg", "keyring/ssh", "gcr/ssh", "ssh-agent.socket", "openssh_agent", "docker.sock", "podman"];

const AT_HOME = [
  ".screen",
  ".abduco",
  ".dtach",
  ".local/share/wezterm",
  ".emacs.d/server",
  ".cache/ibus",
  ".Xauthority",
];

/** Names in a folder for what is temporary: of folders that nobody else makes, and of those that count when something listens there. */
const LISTENING =
  /^(tmux-\d+|zellij-\d+|emacs\d+|nvim\.[\w.-]+|screens|uscreens|\.X11-unix|\.ICE-unix|\.XIM-unix|\.font-unix)$/;
const MAY_LISTEN =
  /^(zellij|kitty|mykitty|wezterm|nvim|emacs\d|abduco|dtach|screen|dbus-|xauth_|\.xauth|\.?ydotool_socket|vscode-|tmux)/;

const LEADS =
  /^(TMUX|TMUX_PANE|STY|WINDOW|ZELLIJ.*|KITTY_.*|WEZTERM_.*|ALACRITTY_.*|GHOSTTY_.*|KONSOLE_DBUS_.*|GNOME_TERMINAL_.*|DBUS_.*|AT_SPI_BUS_ADDRESS|DISPLAY|XAUTHORITY|WAYLAND_.*|SWAYSOCK|I3SOCK|HYPRLAND_.*|NIRI_SOCKET|NVIM|NVIM_LISTEN_ADDRESS|VIM_SERVERNAME|EMACS_SERVER_FILE|EMACS_SOCKET_NAME|VSCODE_IPC_.*|VSCODE_GIT_IPC_.*|YDOTOOL_SOCKET|SESSION_MANAGER|SSH_TTY|GPG_TTY)$/;

/** A yes to `git push` or `docker build` means these. */
const STAYS = /^(SSH_AUTH_SOCK|DOCKER_HOST|CONTAINER_HOST|GPG_AGENT_INFO)$/;

/** Whatever its name: a variable that names a socket is there to be spoken to. */
const socketsIn = (name: string, value: string): { name: string; socket: string }[] =>
  (value.match(/\/[^,;=\s]+/g) ?? [])
    .filter((path) => isSocket(path) && !OF_SERVERS.test(path))
    .map((socket) => ({ name, socket }));

/** Sockets of containers and databases, which programs under a yes work with, whatever variable names them. */
const OF_SERVERS =
  /\/(docker|podman|containerd|buildkitd?|crio|mysqlx?|mysqld|mariadb|redis[\w-]*|valkey[\w-]*|memcached|mongodb-\d+|php[\w.-]*-?fpm)\.sock$|\/\.s\.PGSQL\.\d+$/;

const absolute = (path: string | undefined): string[] => (path && isAbsolute(path) ? [path] : []);

function listeningIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => LISTENING.test(name) || (MAY_LISTEN.test(name) && hasSocket(join(folder, name), 2)))
    .map((name) => join(folder, name));
}

/** The path itself, or what is so many folders below it. */
const hasSocket = (path: string, below: number): boolean =>
  isSocket(path) ||
  (below > 0 &&
    namesIn(path)
      .slice(0, MOST_LOOKED_AT)
      .some((name) => hasSocket(join(path, name), below - 1)));

const MOST_LOOKED_AT = 50;

/** None of what is no folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
