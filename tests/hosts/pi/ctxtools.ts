/*
 * ctxtools.ts - the model tools as an extension of the Pi coding agent.
 *
 * One program is executed per call; nothing here knows what it does.  CTX_BIN
 * is the folder of the programs, CTX_FAMILIES which of them the model gets.
 * With lessons among them, what a person approved is recalled, and the store is
 * told what happens to the session.
 */
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
const BIN = process.env.CTX_BIN!;
const FAMILIES = process.env.CTX_FAMILIES ?? "notes,history";
const KILL_AFTER_MS = 500;

export default function (pi: any) {
  const { tools } = JSON.parse(execFileSync(join(BIN, "tool-schemas"), ["-j", "--families", FAMILIES], { encoding: "utf8" }));
  for (const t of tools) pi.registerTool({
    name: t.name, label: t.title, description: t.description, parameters: t.inputSchema, executionMode: t.executionMode,
    execute: (_id: string, params: unknown, signal: AbortSignal | undefined, _update: unknown, ctx: any) => run(t, params, signal, ctx),
  });
  if (tools.some((t: any) => t.name === "memory")) recallLessons(pi);
}

function recallLessons(pi: any) {
  const tell = (action: string, ctx: any) => run({ program: "lessons-session" }, { action }, undefined, ctx);
  pi.on("session_start", (_event: any, ctx: any) => tell("start", ctx));
  pi.on("session_compact", (_event: any, ctx: any) => tell("compact", ctx));
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    await tell("prompt", ctx);
    const recalled = await run({ program: "lessons-recall" }, {}, undefined, ctx);
    return { systemPrompt: `${event.systemPrompt}\n\n${recalled.content[0].text}` };
  });
}

/* Runs the program of a tool: resolves to its result, rejects with its refusal. */
async function run(tool: any, params: unknown, signal: AbortSignal | undefined, ctx: any) {
  if (signal?.aborted) throw new Error("aborted");
  const ended = await execute(tool, JSON.stringify(params), signal, facts(ctx));
  if (signal?.aborted) throw new Error("aborted");
  const lf = ended.stdout.indexOf("\n");
  const text = ended.stdout.slice(lf + 1).replace(/\n$/, "");
  if (ended.code !== 0)
    throw new Error((lf < 0 ? "" : text) || ended.stderr.trim() || `${tool.program}: ended by ${ended.killedBy ?? `status ${ended.code}`}`);
  const details = JSON.parse(ended.stdout.slice(0, lf));
  if (ended.extra !== "") details.diff = JSON.parse(ended.extra).diff;
  return { content: [{ type: "text", text }], details };
}

/* The environment of a call: who asks, in which session and where. */
function facts(ctx: any): NodeJS.ProcessEnv {
  const { sessionManager: session } = ctx;
  const env: NodeJS.ProcessEnv = { ...process.env, CTX_SESSION: `pi:${session.getSessionId()}`, CTX_CWD: ctx.cwd };
  const file = session.getSessionFile(), leaf = session.getLeafId();
  const model = ctx.model?.id.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (file) env.CTX_SESSION_FILE = file;
  if (leaf !== null) env.CTX_LEAF = leaf;
  if (model) env.CTX_MODEL = model;
  return env;
}

/* One process in a group of its own, fed and read to its end. */
function execute(tool: any, input: string, signal: AbortSignal | undefined, env: NodeJS.ProcessEnv): Promise<any> {
  const diff = tool.name === "notes_update";
  return new Promise((resolve, reject) => {
    const child = spawn(join(BIN, tool.program), diff ? ["--details-fd", "3"] : [],
      { env, detached: true, stdio: diff ? ["pipe", "pipe", "pipe", "pipe"] : ["pipe", "pipe", "pipe"] });
    const read: Buffer[][] = [[], [], [], []];
    let timer: NodeJS.Timeout | undefined;
    const kill = (how: NodeJS.Signals) => {
      try { process.kill(-child.pid!, how); } catch { /* it has ended */ }
    };
    const abort = () => {
      kill("SIGTERM");
      timer = setTimeout(kill, KILL_AFTER_MS, "SIGKILL");
    };
    const settled = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const text = (fd: number) => Buffer.concat(read[fd]).toString("utf8");
    for (const fd of diff ? [1, 2, 3] : [1, 2])
      (child.stdio[fd] as NodeJS.ReadableStream).on("data", (bytes: Buffer) => read[fd].push(bytes));
    child.stdin!.on("error", () => { /* it refused before it read: its answer says why */ });
    child.on("error", (error) => { settled(); reject(error); });
    child.on("close", (code, killedBy) => {
      settled();
      resolve({ code, killedBy, stdout: text(1), stderr: text(2), extra: text(3) });
    });
    if (child.pid !== undefined) signal?.addEventListener("abort", abort);
    child.stdin!.end(input);
  });
}
