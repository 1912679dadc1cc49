// What a model without tool calls is told about how to act. Goes after the agent's own prompt.
import { FINAL, SPAWN } from "./sentinel.ts";

export function bashProtocolPrompt(spawns: boolean): string {
  const children = spawns
    ? `
To hand a task to a child agent (it knows nothing of this conversation: say all it needs), the block is only:
\`\`\`bash
echo '${SPAWN}::agent-name
The whole task'
\`\`\`
Its report is that command's output.`
    : "";
  return `How you act. This goes before anything above about tools and calls.
Every reply holds a thought and EXACTLY ONE action: one fenced block with bash commands.
\`\`\`bash
ls -la
\`\`\`
It runs in a fresh shell: no variable and no cd stays. You are then told its return code and output. If the commands hold \`\`\` themselves, fence the block with \`\`\`\`.${children}
To end, with your result on the lines after the word, the block is only:
\`\`\`bash
echo '${FINAL}
Your result'
\`\`\`
In single quotes the shell changes nothing (write ' as '\\''); nothing else may stand in these two commands.`;
}
