/*
 * more.mjs - what the records of Copilot CLI, Qwen Code and Gemini CLI come to,
 * from spec/more-hosts.md sections 3.2 and 3.4.
 */
const marker = (type) => `[${type.startsWith("image/") ? "image" : "document"} ${type}]`;
const lines = (...texts) => texts.filter((text) => text !== undefined).join("\n");
const failedShell = (name, text) => name === "run_shell_command" &&
  text.split("\n").slice(-10).some((line) => /^Exit Code: (?!0$)-?\d+$/.test(line));

/* ---- Copilot CLI ------------------------------------------------------- */

const COPILOT = /^(session\.(?!compaction_complete|handoff).*|system\.message|tool\.execution_(start|partial_result|progress)|assistant\.(reasoning.*|turn_.*|intent|usage|message_.*|idle|streaming.*)|hook\..*|permission\..*|model\..*|subagent\..*|abort|user_input\..*|external_tool\..*|todo.*|pending_messages.*|mcp.*)$/;

export function copilot() {
  return ({ type, data, agentId }) => {
    if (agentId || typeof data.parentToolCallId === "string") return [];
    switch (type) {
    case "user.message": return [{ text: lines(data.content, ...(data.attachments ?? []).filter((one) => one.mimeType).map((one) => marker(one.mimeType))),
      role: data.isAutopilotContinuation === true || (data.source && data.source !== "user") || data.content.startsWith("<context_window>") ? "context" : "user",
      markers: data.content.match(/mk-[a-z0-9-]+/g) ?? [] }];
    case "assistant.message": return [{ role: "assistant", text: data.content },
      ...data.toolRequests.map((one) => ({ call: { id: one.toolCallId, name: one.name, args: one.arguments } }))];
    case "tool.execution_complete": {
      const code = data.shellExecution?.exitCode;
      return [{ result: { id: data.toolCallId, text: data.result?.content ?? data.error?.message ?? "",
        error: data.success === false || (typeof code === "number" && code !== 0) } }];
    }
    case "tool.user_requested": return [{ call: { id: data.toolCallId, name: data.toolName, args: data.arguments } }];
    case "session.compaction_complete": return [{ role: "context", text: data.summaryContent ?? "" }];
    case "system.notification": return [{ role: "context", text: data.content }];
    case "skill.invoked": return [{ role: "context", text: data.content }];
    default: return COPILOT.test(type) ? [] : undefined;
    }
  };
}

/* ---- Qwen Code --------------------------------------------------------- */

const partsText = (parts) => typeof parts === "string" ? parts : lines(...(parts ?? []).map((part) => {
  if (typeof part === "string") return part;
  const type = (part.inlineData ?? part.fileData)?.mimeType;
  return part.thought === true ? undefined : part.text ?? (type && marker(type));
}));

const QWEN_SYSTEM = new Set(["ui_telemetry", "attribution_snapshot", "custom_title", "at_command", "rewind", "file_history_snapshot", "goal", "session_artifact_snapshot"]);

export function qwen() {
  return ({ type, subtype, isSidechain, message, systemPayload, toolCallResult }) => {
    if (isSidechain === true) return [];
    switch (type) {
    case "user": return [{ role: typeof subtype === "string" ? "context" : "user", text: partsText(message.parts) }];
    case "assistant": return [{ role: "assistant", text: partsText(message.parts) },
      ...message.parts.filter((part) => part.functionCall).map(({ functionCall: one }) => ({ call: { id: one.id, name: one.name, args: one.args } }))];
    case "tool_result": return message.parts.filter((part) => part.functionResponse).map(({ functionResponse: one }) => {
      const text = one.response.output ?? one.response.error ?? "";
      return { result: { id: one.id, name: one.name, text, error: Object.hasOwn(one.response, "error") || failedShell(one.name, text) ||
        (toolCallResult?.callId === one.id && ["error", "cancelled"].includes(toolCallResult.status)) } };
    });
    case "system":
      if (subtype === "chat_compression") return [{ role: "context", text: partsText(systemPayload.compressedHistory.find((one) => one.role === "user")?.parts) }];
      if (subtype === "slash_command") return [{ role: "context", text: systemPayload.phase === "invocation" ? systemPayload.rawCommand
        : lines(...(systemPayload.outputHistoryItems ?? []).map((one) => one.text)) }];
      return QWEN_SYSTEM.has(subtype) ? [] : undefined;
    default: return undefined;
    }
  };
}

/* ---- Gemini CLI -------------------------------------------------------- */

const HOOK = /^(\s*<(hook_context|session_context)>[^]*?<\/\2>)+\s*$/;

/* Its messages are written again when they change, so the last line counts. */
export function gemini(records) {
  const last = new Map(), known = new Set(), calls = new Set();
  for (const record of records) if (record.id && record.type) last.set(record.id, record);
  const of = (record) => {
    if (["info", "warning", "error"].includes(record.type)) return [];
    if (!["user", "gemini"].includes(record.type)) return undefined;
    const slots = [], final = last.get(record.id) ?? record, first = !known.has(record.id);
    known.add(record.id);
    if (first && record.type === "user") {
      const parts = typeof record.content === "string" ? [{ text: record.content }] : record.content;
      if (parts.some((part) => typeof part.text === "string" || part.inlineData || part.fileData)) {
        const kept = parts.filter((part) => !HOOK.test(part.text ?? "")).map((part) => ({ ...part, text: part.text?.replace(/^<hook_context>[^]*?<\/hook_context>\n\n/, "") }));
        const text = partsText(kept);
        slots.push(text === "" ? { role: "context", text: partsText(parts) }
          : { role: text.startsWith("I ran the following shell command:\n```") ? "context" : "user", text });
      }
    }
    if (first && record.type === "gemini") slots.push({ role: "assistant", text: partsText(final.content) });
    for (const one of record.toolCalls ?? []) {
      if (calls.has(`${record.id} ${one.id}`)) continue;
      calls.add(`${record.id} ${one.id}`);
      const end = final.toolCalls.find((other) => other.id === one.id);
      const response = end.result?.find((part) => part.functionResponse?.id === one.id)?.functionResponse.response;
      const text = response?.output ?? response?.error ?? "";
      slots.push({ call: { name: end.name, args: end.args }, answer: { text },
        status: end.status === "success" ? (failedShell(end.name, text) ? "error" : "ok") : ["error", "cancelled"].includes(end.status) ? "error" : "unfinished" });
    }
    return slots;
  };
  /* Of a copy of the conversation what is new has slots; of one that it compacted, the summary. */
  const ofCopy = (messages) => {
    const fresh = (one) => one !== undefined && !known.has(one.id);
    const answer = messages.findIndex((one, i) => one.type === "gemini" && fresh(one) && partsText(one.content) === "Got it. Thanks for the additional context!" &&
      messages[i - 1]?.type === "user" && fresh(messages[i - 1]));
    if (answer < 0) return messages.filter(fresh).flatMap((one) => of(one) ?? []);
    for (const one of messages) known.add(one.id);
    const text = partsText(messages[answer - 1].content);
    return [{ role: "context", text, markers: text.match(/mk-[a-z0-9-]+/g) ?? [] }];
  };
  return (record) => {
    if (record.$set) return ofCopy(record.$set.messages ?? []);
    return record.$rewindTo || (!record.type && record.sessionId) ? [] : of(record);
  };
}
