/** A topic the guide can explain; the first one whose words occur in the question is used. */
interface Topic {
  readonly words: RegExp
  readonly text: string
}

const FOOTER = `

---

*I am the built-in guide: a fixed text, not an AI. I do not understand what you write; I only look for a few words in it.*`

const OVERVIEW = `# Welcome

There is **no model connected to this chat yet**, or you picked the guide on purpose. Here is how to get a real answer.

## Two ways to connect a model

| | Local runtime | Remote provider |
|---|---|---|
| Runs | on this computer | on somebody else's servers |
| Your text | stays here | leaves this computer |
| You need | a few gigabytes of disk and memory | an account and a key |

### A local runtime

1. Install a local model runtime and start it.
2. Fetch a model with it, for example a small one of 3 to 8 billion parameters.
3. Come back: a runtime at its usual place, \`http://127.0.0.1:11434\`, is found by itself.

### A remote provider

1. Open **Settings › Connections** and choose **Add connection**.
2. Choose your provider and enter your key.
3. Press **Test**. It says what is wrong when something is.

Then choose the model in the message box.

You can also ask me about \`connect\`, \`key\`, \`privacy\`, \`shortcuts\` or \`api\`.`

const CONNECT = `# Connecting a model

## Local runtime

Start the runtime, then fetch a model with it. If it listens somewhere else than \`http://127.0.0.1:11434\`, add it under
**Settings › Connections** as a local model runtime, or start the gateway with its address:

\`\`\`sh
LLMHOST_BASE_URL=http://127.0.0.1:11500 npm start
\`\`\`

## Remote provider

Add it under **Settings › Connections** as a provider, or describe it in the environment:

\`\`\`sh
OPENAI_API_BASE_URLS="https://provider.example/v1" \\
OPENAI_API_KEYS="your-key" npm start
\`\`\`

## When it does not work

- **Nothing is listening**: the program on the other side is not running, or the port is another one.
- **The key was refused**: copy the whole key again, without spaces.
- **Not its API**: the address is incomplete; many need \`/v1\` at the end.
- **No models**: the runtime has no model installed yet, or the key may not use any.`

const KEY = `# Keys

There are two kinds, and they have nothing to do with each other:

| Key | Where it comes from | What it is for |
|---|---|---|
| Provider key | your account at a provider | lets the gateway use that provider's models |
| Gateway key | **Settings › API keys** | lets your scripts use the gateway |

- Provider keys are stored encrypted and are never shown again.
- A gateway key is shown **once**, when you create it. Copy it then.
- Remove a key in the same place; it stops working at once.`

const PRIVACY = `# Privacy

- Chats are stored in one database file in your data folder, on this computer.
- A model marked **on this computer** never sends your text anywhere.
- A model marked **leaves this computer** sends the conversation to its provider. What happens there is up to the provider.
- The gateway sends no statistics and asks nobody for permission to start.
- With **offline mode** in the settings, only connections on this computer and in your private network are used.`

const SHORTCUTS = `# Keyboard

| Keys | What happens |
|---|---|
| \`Enter\` | sends the message |
| \`Shift\` + \`Enter\` | begins a new line |
| \`Ctrl\` or \`⌘\` + \`K\` | opens the list of all commands |
| \`Ctrl\` or \`⌘\` + \`.\` | stops the answer |
| \`Ctrl\` or \`⌘\` + \`N\` | begins a new chat |
| \`Ctrl\` or \`⌘\` + \`/\` | shows all shortcuts |

The command list shows every command with its keys, so you never have to remember more than one of them.`

const API = `# Calling the gateway from a script

1. Create a key under **Settings › API keys**.
2. Send a chat completion. The address is the one this page has.

\`\`\`sh
curl http://127.0.0.1:8642/api/chat/completions \\
  -H "Authorization: Bearer $GATEWAY_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "guide", "stream": true,
       "messages": [{"role": "user", "content": "Hello"}]}'
\`\`\`

The same in TypeScript, with any client for chat completions:

\`\`\`ts
const answer = await client.chat.completions.create({
  model: 'guide',
  messages: [{ role: 'user', content: 'Hello' }],
})
\`\`\`

\`GET /api/models\` lists every model you may use.`

const TOPICS: readonly Topic[] = [
  { words: /\b(api|curl|script|sdk|endpoint)\b/i, text: API },
  { words: /\b(shortcuts?|keyboard|hotkeys?)\b/i, text: SHORTCUTS },
  { words: /\b(privacy|private|offline|telemetry|data)\b/i, text: PRIVACY },
  { words: /\b(keys?|token|secret)\b/i, text: KEY },
  { words: /\b(connect\w*|provider|runtime|install|models?|set ?up)\b/i, text: CONNECT },
]

/** Returns the guide's answer to a question: markdown, always labelled as not being an AI. */
export function answerQuestion(question: string): string {
  const topic = TOPICS.find(({ words }) => words.test(question))
  return (topic?.text ?? OVERVIEW) + FOOTER
}
