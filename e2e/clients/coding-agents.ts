import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ToolUse } from './agent-script.ts'

/** Working folder of an agent, and the gateway it uses. */
export interface AgentPlace {
  /** Folder with the files it works on. */
  readonly work: string
  readonly home: string
  readonly url: string
  readonly key: string
  readonly model: string
}

interface Start {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A third-party coding agent, as published. */
export interface CodingAgent {
  readonly name: string
  /** Dialect of the agent, as the path it calls. */
  readonly path: string
  /** Fields it always sends that a translation leaves out; the log has to list them. */
  readonly ignored: readonly string[]
  /** Returns the call of its tool that runs a command. */
  readonly shell: (command: string) => ToolUse
  /** Returns the call of its tool that writes a file. */
  readonly write: (file: string, content: string) => ToolUse
  readonly start: (place: AgentPlace, question: string) => Start
}

const packages = path.join(process.env['CLIENTS_FOLDER'] ?? '', 'agents/node_modules')
const inPackage = (...parts: string[]): string => path.join(packages, ...parts)

/** Returns the executable for this machine, which some packages ship in a separate package. */
function program(scope: string, prefix: string, file: string): string {
  const found = readdirSync(inPackage(scope)).find(
    (name) => name === `${prefix}-${process.platform}-${process.arch}`,
  )
  if (found === undefined)
    throw new Error(`${prefix} has no program for ${process.platform} on ${process.arch}.`)
  const command = inPackage(scope, found, file)
  // Packages are installed without running their scripts.
  chmodSync(command, 0o755)
  return command
}

const claude: CodingAgent = {
  name: '@anthropic-ai/claude-code',
  path: '/v1/messages',
  ignored: ['context_management'],
  shell: (command) => ({ Bash: { command, description: 'Runs a command' } }),
  write: (file, content) => ({ Write: { file_path: file, content } }),
  start: ({ url, key, model }, question) => ({
    command: program('@anthropic-ai', 'claude-code', 'claude'),
    args: ['-p', question, '--model', model, '--allowedTools', 'Bash,Write'],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
}

const toPatch = (file: string, content: string): string =>
  `*** Begin Patch\n*** Add File: ${path.basename(file)}\n${content.replace(/^/gm, '+')}\n*** End Patch\n`

const codex: CodingAgent = {
  name: '@openai/codex',
  path: '/v1/responses',
  ignored: ['store', 'client_metadata'],
  shell: (command) => ({
    exec_command: { cmd: command },
    functions__exec: {
      input: `const { output } = await tools.exec_command(${JSON.stringify({ cmd: command })}); text(output)`,
    },
  }),
  write(file, content) {
    const patch = toPatch(file, content)
    // Models it does not know call its patch tool from the shell; the newest ones write a script
    // that does.
    return {
      exec_command: { cmd: `apply_patch <<'PATCH'\n${patch}PATCH` },
      functions__exec: { input: `text(await tools.apply_patch(${JSON.stringify(patch)}))` },
    }
  },
  start({ home, url, key, model }, question) {
    mkdirSync(path.join(home, '.codex'))
    writeFileSync(
      path.join(home, '.codex/config.toml'),
      `model = "${model}"
model_provider = "gateway"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.gateway]
name = "Gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
`,
    )
    const args = [
      inPackage('@openai/codex/bin/codex.js'),
      'exec',
      '--skip-git-repo-check',
      question,
    ]
    return { command: process.execPath, args, env: { GATEWAY_KEY: key } }
  },
}

const opencode: CodingAgent = {
  name: 'opencode-ai',
  path: '/v1/chat/completions',
  ignored: [],
  shell: (command) => ({ bash: { command, description: 'Runs a command' } }),
  write: (file, content) => ({ write: { filePath: file, content } }),
  start({ home, url, key, model }, question) {
    const gateway = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Gateway',
      options: { baseURL: `${url}/v1`, apiKey: key },
      models: {
        [model]: { name: model, tool_call: true, limit: { context: 100_000, output: 8000 } },
      },
    }
    const chosen = `gateway/${model}`
    const settings = {
      autoupdate: false,
      share: 'disabled',
      small_model: chosen,
      permission: { '*': 'allow' },
      provider: { gateway },
    }
    const file = path.join(home, 'opencode.json')
    writeFileSync(file, JSON.stringify(settings))
    return {
      command: program('', 'opencode', 'bin/opencode'),
      args: ['run', question, '--model', chosen],
      env: {
        OPENCODE_CONFIG: file,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    }
  },
}

const qwen: CodingAgent = {
  name: '@qwen-code/qwen-code',
  path: '/v1/chat/completions',
  ignored: [],
  shell: (command) => ({
    run_shell_command: { command, is_background: false, description: 'Runs a command' },
  }),
  write: (file, content) => ({ write_file: { file_path: file, content } }),
  start: ({ url, key, model }, question) => ({
    command: process.execPath,
    args: [
      inPackage('@qwen-code/qwen-code/cli-entry.js'),
      '-p',
      question,
      '--yolo',
      '--auth-type',
      'openai',
    ],
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: key,
      OPENAI_MODEL: model,
      QWEN_TELEMETRY_ENABLED: '0',
    },
  }),
}

const pi: CodingAgent = {
  name: '@mariozechner/pi-coding-agent',
  path: '/v1/chat/completions',
  ignored: [],
  shell: (command) => ({ bash: { command } }),
  write: (file, content) => ({ write: { path: file, content } }),
  start({ home, url, key, model }, question) {
    const place = path.join(home, '.pi/agent')
    mkdirSync(place, { recursive: true })
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const row = {
      id: model,
      name: model,
      reasoning: false,
      input: ['text'],
      cost: free,
      contextWindow: 100_000,
      maxTokens: 8000,
    }
    const gateway = { baseUrl: `${url}/v1`, apiKey: key, api: 'openai-completions', models: [row] }
    writeFileSync(path.join(place, 'models.json'), JSON.stringify({ providers: { gateway } }))
    const args = [
      inPackage('@mariozechner/pi-coding-agent/dist/cli.js'),
      '--provider',
      'gateway',
      '--model',
      model,
      '-p',
      question,
    ]
    return { command: process.execPath, args, env: {} }
  },
}

export const CODING_AGENTS: readonly CodingAgent[] = [claude, codex, opencode, qwen, pi]
