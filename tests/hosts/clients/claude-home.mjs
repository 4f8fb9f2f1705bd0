/*
 * claude-home.mjs - Claude Code set up for a test: a home with the snippets of
 * README.md, a scripted model, and the transcripts that it writes.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { MODULES, bare, place, snippet } from "../lib.mjs";
import { play } from "./anthropic.mjs";
import { faultsOf, none } from "./check.mjs";
import { claude } from "./claude.mjs";

export const PROGRAM = join(MODULES, "@anthropic-ai/claude-code/cli-wrapper.cjs");
export const use = (name, input) => ({ type: "tool_use", name, input });
export const say = (text) => ({ type: "text", text });
export const bash = (command) => use("Bash", { command, description: "d" });

/* Homes, projects and a model of the test's own. */
export async function begin(t, script) {
  const at = place(t);
  const model = await play(script);
  t.after(model.close);
  mkdirSync(join(at.home, ".claude"));
  writeFileSync(join(at.home, ".claude/settings.json"), snippet("Claude Code", "json", 2));
  writeFileSync(join(at.project, ".mcp.json"), snippet("Claude Code", "json"));
  const env = bare(at);
  const host = { ...env, PATH: `${env.PATH}:${join(process.execPath, "..")}`, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", IS_SANDBOX: "1" };
  return { at, model, env, host };
}

export const folder = (at) => join(at.home, ".claude/projects", readdirSync(join(at.home, ".claude/projects"))[0]);
export const fileOf = (at, id) => join(folder(at), `${id}.jsonl`);
export const sessions = (at) => readdirSync(folder(at)).filter((name) => name.endsWith(".jsonl")).map((name) => basename(name, ".jsonl")).sort();

export async function check(t, { at, env }, id, gone) {
  const { faults, records, shown } = await faultsOf(env, claude, fileOf(at, id), `claude:${id}`, gone);
  t.diagnostic(`claude:${id}: ${records} records, ${shown} events`);
  none(faults);
}
