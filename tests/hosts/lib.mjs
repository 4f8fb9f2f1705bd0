/*
 * lib.mjs - what the tests of real hosts share: the programs under test, the
 * installed packages, a home of the test's own, bounded child processes.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, "..", "..");
export const BIN = process.env.CTX_BIN;
export const MODULES = join(process.env.CTX_HOSTS, "node_modules");

const need = createRequire(join(MODULES, "x.js"));

/* A module of the installed packages, which are not beside the tests. */
export function load(name) {
  return import(pathToFileURL(need.resolve(name)).href);
}

/* A folder that is gone after the test, with a home and a project in it. */
export function place(t) {
  const dir = mkdtempSync(join(tmpdir(), "ctx-hosts-"));
  const at = { dir, home: join(dir, "home"), project: join(dir, "shop-api"), children: [] };
  /* What still runs there may still write there. */
  t.after(() => {
    for (const child of at.children) child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  mkdirSync(at.home);
  mkdirSync(at.project);
  return at;
}

/* The least that a host leaves in the environment of what it starts. */
export function bare(at, more = {}) {
  return {
    PATH: `${BIN}:/usr/local/bin:/usr/bin:/bin`, HOME: at.home, TZ: "UTC", LC_ALL: "C.UTF-8",
    CTX_HOSTS_RUN: process.env.CTX_HOSTS_RUN, ...more,
  };
}

/* Runs a program to its end; its whole group is killed when the time is over. */
export function exec(file, args, { env, cwd, input = "", seconds = 60 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const out = [], err = [];
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), seconds * 1000);
    child.stdout.on("data", (bytes) => out.push(bytes));
    child.stderr.on("data", (bytes) => err.push(bytes));
    child.stdin.on("error", () => {});
    child.on("error", (error) => { clearTimeout(timer); reject(error); });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    child.stdin.end(input);
  });
}

/* The tools that a host gets when it names no family, in the order of lists. */
export async function toolNames(families = "notes,history") {
  const { stdout } = await exec(join(BIN, "tool-schemas"), ["-j", "--families", families], { env: {} });
  return JSON.parse(stdout).tools.map((tool) => tool.name);
}

/* Waits for what will be so; a test's own limit ends a wait that is in vain. */
export async function until(so) {
  while (!so()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/* The n-th code block of that language under a heading of README.md. */
export function snippet(heading, language, n = 1) {
  const page = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, section] = page.split(`\n### ${heading}\n`);
  return section.split(/\n##+ /)[0].split(`\n\`\`\`${language}\n`)[n].split("\n```")[0];
}
