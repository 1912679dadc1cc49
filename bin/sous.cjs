#!/usr/bin/env node
// The command. Written so that an old Node can still read it and say what is needed, instead of failing on syntax.
"use strict";

var fs = require("fs");
var os = require("os");
var path = require("path");

var root = path.join(__dirname, "..");
var program = path.join(root, "dist", "cli.js");

if (isModern(process.versions.node)) start();
else handOver();

function start() {
  if (!fs.existsSync(program)) fail("sous is not built yet: run `npm start` once in " + root);
  else {
    rememberCompiled();
    import(require("url").pathToFileURL(program).href);
  }
}

// Compiled code is kept for the next start, for this user only. Without a writable folder the start is just slower.
function rememberCompiled() {
  try {
    var cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
    var folder = path.join(cache, "sous", "compiled");
    makeFolders(folder);
    require("module").enableCompileCache(folder);
  } catch (_) {
    return;
  }
}

// Not with Node's own recursion: where the kernel refuses names, as in /proc, that never ends.
function makeFolders(folder) {
  if (fs.existsSync(folder)) return;
  makeFolders(path.dirname(folder));
  fs.mkdirSync(folder, 448);
}

// A development checkout brings its own Node: the command then runs there, with the same arguments and signals.
function handOver() {
  var node = path.join(root, "node_modules", "node-" + process.platform + "-" + process.arch, "bin", "node");
  if (!fs.existsSync(node)) {
    fail("sous needs Node 22.18 or newer, this is " + process.version + ": install it from https://nodejs.org");
    return;
  }
  var argv = [node, __filename].concat(process.argv.slice(2));
  // When this process is killed outright, the one that does the work must not live on.
  var setpriv = "/usr/bin/setpriv";
  if (fs.existsSync(setpriv)) argv = [setpriv, "--pdeathsig", "KILL"].concat(argv);

  var child = require("child_process").spawn(argv[0], argv.slice(1), { stdio: "inherit" });
  forgetEnvironment();
  var forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];
  forwarded.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("error", function (error) {
    fail("sous could not start " + node + " (" + error.message + "): run `npm start` once to set it up again");
  });
  child.on("exit", function (code, signal) {
    if (!signal) process.exit(code);
    forwarded.forEach(function (name) {
      process.removeAllListeners(name);
    });
    process.kill(process.pid, signal);
  });
}

// This process only waits: what it was started with, keys included, is not to be read in /proc meanwhile.
function forgetEnvironment() {
  try {
    var line = fs.readFileSync("/proc/self/stat", "latin1");
    var begins = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[47]);
    var size = fs.readFileSync("/proc/self/environ").length;
    var memory = fs.openSync("/proc/self/mem", "r+");
    fs.writeSync(memory, Buffer.alloc(size), 0, size, begins);
    fs.closeSync(memory);
  } catch (_) {
    return;
  }
}

function fail(line) {
  process.stderr.write(line + "\n");
  process.exitCode = 1;
}

function isModern(version) {
  var parts = version.split(".").map(Number);
  return parts[0] > 22 || (parts[0] === 22 && parts[1] >= 18);
}
