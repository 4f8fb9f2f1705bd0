/*
 * context.ts - context windows that end well, as an extension of the Pi coding
 * agent.
 *
 * It gives the model the tools of the family, and the window its life: one
 * program is executed at each point where something may be due.  What is due,
 * the programs decide; nothing here knows why.  CTX_BIN is their folder.
 */
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
const BIN = process.env.CTX_BIN!;
const RESERVED = 16384; /* tokens that Pi keeps free before it compacts */
const NO_ENTRY = "none"; /* a compaction that keeps nothing of what was */

export default function (pi: any) {
  /* The window that a compaction in progress is to open, if it is ours. */
  let opening: string | undefined;
  /* We have asked for the compaction that comes next. */
  let rolling = false;
  /* Messages that Pi has; it drops what it has queued when it is aborted. */
  const given = new Set<string>();

  registerTools(pi);

  pi.on("session_start", async (_event: any, ctx: any) => {
    deliver(await ask("context-init", {}, ctx), ctx);
  });

  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const { text, already_present } = await ask("context-guidance", { existing_prompt: event.systemPrompt }, ctx);
    return already_present ? undefined : { systemPrompt: `${event.systemPrompt}\n\n${text}` };
  });

  /* What the model may answer to carries the id that history knows it by. */
  pi.on("context", async (event: any, ctx: any) => ({ messages: mark(event.messages, ctx) }));

  pi.on("message_end", async (event: any, ctx: any) => {
    const { message } = event;
    if (message.role !== "assistant") return;
    if (message.stopReason === "aborted") given.clear();
    deliver(await ask("context-usage", {
      used_tokens: tokens(message.usage), context_window: ctx.model?.contextWindow ?? null,
      aborted: message.stopReason === "aborted" || message.stopReason === "error",
      ...(ctx.model ? { model: `${ctx.model.provider}/${ctx.model.id}` } : {}),
    }, ctx), ctx);
  });

  pi.on("tool_call", async (event: any, ctx: any) => {
    const answer = await execute("context-gate", { tool_name: event.toolName, arguments: event.input }, ctx);
    if (answer.code === 0) return;
    return { block: true, reason: answer.text || answer.stderr };
  });

  pi.on("agent_end", (_event: any, ctx: any) => {
    whenIdle(ctx, async () => {
      const answer = await ask("context-settle", { idle: true }, ctx);
      /* Something has begun meanwhile, and its end will ask again. */
      if (!ctx.isIdle()) return;
      deliver(answer, ctx);
      if (answer.action === "roll") roll(ctx);
    });
  });

  pi.on("session_before_compact", async (event: any, ctx: any) => {
    const answer = await ask("context-compact", { reason: reason(event, ctx) }, ctx);
    if (answer.action === "allow") return;
    if (answer.action === "cancel") {
      whenIdle(ctx, () => handOver(answer, ctx, 40));
      return { cancel: true };
    }
    opening = answer.window_id;
    return { compaction: { summary: answer.bootstrap, firstKeptEntryId: NO_ENTRY, tokensBefore: event.preparation.tokensBefore } };
  });

  pi.on("session_compact", async (_event: any, ctx: any) => commit("committed", ctx));

  /* Compacts because a new window is wanted; what fails is reported. */
  function roll(ctx: any) {
    rolling = true;
    ctx.compact({
      onComplete: () => { rolling = false; },
      onError: (error: Error) => {
        rolling = false;
        void commit(/cancelled/.test(error.message) ? "aborted" : "failed", ctx);
      },
    });
  }

  async function commit(outcome: string, ctx: any) {
    if (opening === undefined) return;
    const window_id = opening;
    opening = undefined;
    const answer = await ask("context-commit", { outcome, window_id }, ctx);
    whenIdle(ctx, () => deliver(answer, ctx));
  }

  /* Pi does not say why it compacts. */
  function reason(_event: any, ctx: any): string {
    if (rolling) return "rollover";
    const last = ctx.sessionManager.getBranch().findLast((entry: any) => entry.message?.role === "assistant")?.message;
    if (last?.stopReason === "error") return "overflow";
    const room = (ctx.model?.contextWindow ?? Infinity) - RESERVED;
    return last !== undefined && tokens(last.usage) > room ? "threshold" : "manual";
  }

  /* Puts the messages of an answer into the conversation. */
  function deliver(answer: any, ctx: any) {
    for (const m of answer.messages ?? []) {
      if (given.has(m.message_id)) continue;
      given.add(m.message_id);
      const options = m.deliver === "passive" ? {} : { deliverAs: "steer", triggerTurn: m.deliver === "turn" };
      pi.sendMessage({ customType: m.custom_type, content: m.text, display: m.display, details: m.details }, options);
    }
  }

  /*
   * The same after a compaction that was cancelled: Pi may still be busy with
   * it, though idle, and loses what it is given then.  So it is given again.
   */
  function handOver(answer: any, ctx: any, times: number) {
    deliver(answer, ctx);
    setTimeout(() => {
      const entries = ctx.sessionManager.getEntries();
      const lost = (answer.messages ?? []).filter((m: any) => !entries.some((entry: any) => entry.customType === m.custom_type && entry.content === m.text));
      if (lost.length === 0 || times === 0 || !ctx.isIdle() || ctx.hasPendingMessages()) return;
      for (const m of lost) given.delete(m.message_id);
      handOver({ messages: lost }, ctx, times - 1);
    }, 250);
  }

  /* Later, once nothing runs: in an event the agent is still at it. */
  function whenIdle(ctx: any, then: () => unknown) {
    const look = () => {
      if (ctx.isIdle()) void then();
      else setTimeout(look, 10);
    };
    setTimeout(look, 10);
  }
}

function tokens(usage: any): number | null {
  if (!usage) return null;
  return usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/*
 * Ends each message that is not the model's own with its entry's id.  Messages
 * and entries are in the same order, from the last compaction on.
 */
function mark(messages: any[], ctx: any): any[] {
  const shown = ["message", "custom_message", "branch_summary"];
  const branch = ctx.sessionManager.getBranch();
  const at = branch.findLastIndex((entry: any) => entry.type === "compaction");
  const entries = branch.slice(Math.max(at, 0)).filter((entry: any, i: number) => (at >= 0 && i === 0) || shown.includes(entry.type));
  return messages.map((message, i) => {
    const entry = entries[i];
    if (message.role === "assistant" || entry === undefined) return message;
    const id = ` [id: ${entry.id}]`;
    if (typeof message.summary === "string") return { ...message, summary: message.summary + id };
    if (typeof message.content === "string") return { ...message, content: message.content + id };
    return Array.isArray(message.content) ? { ...message, content: [...message.content, { type: "text", text: id }] } : message;
  });
}

function registerTools(pi: any) {
  const { tools } = JSON.parse(execFileSync(join(BIN, "tool-schemas"), ["-j", "--families", "context"], { encoding: "utf8" }));
  for (const t of tools) pi.registerTool({
    name: t.name, label: t.title, description: t.description, parameters: t.inputSchema, executionMode: t.executionMode,
    execute: async (_id: string, params: unknown, signal: AbortSignal | undefined, _update: unknown, ctx: any) => {
      const answer = await execute(t.program, params, ctx, signal);
      if (answer.code !== 0) throw new Error(answer.text || answer.stderr);
      return { content: [{ type: "text", text: answer.text }], details: answer.json };
    },
  });
}

/* A program of the host's; what it cannot do is an error of the extension. */
async function ask(program: string, args: unknown, ctx: any): Promise<any> {
  const answer = await execute(program, args, ctx);
  if (answer.code !== 0) throw new Error(`${program}: ${answer.text || answer.stderr}`);
  return answer.json;
}

/* The environment of a call: whose session it is, and where it stands. */
function facts(ctx: any): NodeJS.ProcessEnv {
  const session = ctx.sessionManager;
  const env: NodeJS.ProcessEnv = { ...process.env, CTX_SESSION: `pi:${session.getSessionId()}` };
  const file = session.getSessionFile(), leaf = session.getLeafId();
  if (file) env.CTX_SESSION_FILE = file;
  /* The file is written once the model has answered; until then it has no leaf. */
  if (leaf !== null && session.getEntries().some((entry: any) => entry.message?.role === "assistant")) env.CTX_LEAF = leaf;
  return env;
}

/* One process, fed its arguments and read to its end. */
function execute(program: string, args: unknown, ctx: any, signal?: AbortSignal): Promise<any> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(BIN, program), [], { env: facts(ctx), stdio: ["pipe", "pipe", "pipe"], signal });
    const out: Buffer[] = [], err: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => err.push(bytes));
    child.stdin.on("error", () => { /* it refused before it read: its answer says why */ });
    child.on("error", reject);
    child.on("close", (code, killedBy) => {
      const text = Buffer.concat(out).toString("utf8"), lf = text.indexOf("\n");
      const stderr = Buffer.concat(err).toString("utf8").trim() || `${program}: ended by ${killedBy}`;
      resolve({ code, stderr, text: text.slice(lf + 1).replace(/\n$/, ""), json: lf > 0 ? JSON.parse(text.slice(0, lf)) : undefined });
    });
    child.stdin.end(JSON.stringify(args));
  });
}
