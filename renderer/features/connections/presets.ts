import type { ConnectionKind } from '#contract/connections.ts'

/** Known parameters of a provider, so that only its key must be entered. */
export interface ProviderPreset {
  readonly id: string
  readonly name: string
  /** Shown for a provider without a mark. */
  readonly letters: string
  readonly kind: ConnectionKind
  /** Base URL, with `<…>` for a part specific to the user. */
  readonly url: string
  /** URL of the page where keys are created; null for a runtime that needs none. */
  readonly keyPage: string | null
  /** Alternative search terms. */
  readonly aliases: string
}

const preset = (
  [id, name, letters]: readonly [string, string, string],
  [url, keyPage]: readonly [string, string],
  aliases: string,
  kind: ConnectionKind = 'compatible',
): ProviderPreset => ({ id, name, letters, kind, url, keyPage, aliases })

/** The most common providers, the best known first. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = Object.freeze([
  preset(
    ['openai', 'OpenAI', 'OA'],
    ['https://api.openai.com/v1', 'https://platform.openai.com/api-keys'],
    'chatgpt gpt',
  ),
  preset(
    ['anthropic', 'Anthropic', 'An'],
    ['https://api.anthropic.com/v1', 'https://console.anthropic.com/settings/keys'],
    'claude',
    'messages',
  ),
  preset(
    ['google', 'Google Gemini', 'Ge'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'https://aistudio.google.com/apikey',
    ],
    'ai studio',
  ),
  preset(
    ['mistral', 'Mistral AI', 'Mi'],
    ['https://api.mistral.ai/v1', 'https://console.mistral.ai/api-keys'],
    'codestral le chat',
  ),
  preset(
    ['openrouter', 'OpenRouter', 'OR'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/settings/keys'],
    'open router',
  ),
  preset(
    ['groq', 'Groq', 'Gq'],
    ['https://api.groq.com/openai/v1', 'https://console.groq.com/keys'],
    'llama fast',
  ),
  preset(
    ['deepseek', 'DeepSeek', 'DS'],
    ['https://api.deepseek.com/v1', 'https://platform.deepseek.com/api_keys'],
    'deep seek',
  ),
  preset(['xai', 'xAI', 'xA'], ['https://api.x.ai/v1', 'https://console.x.ai'], 'grok'),
  preset(
    ['azure', 'Azure OpenAI', 'Az'],
    ['https://<resource>.openai.azure.com/openai/v1', 'https://portal.azure.com'],
    'microsoft foundry',
  ),
  preset(
    ['together', 'Together AI', 'To'],
    ['https://api.together.xyz/v1', 'https://api.together.ai/settings/api-keys'],
    'llama',
  ),
  preset(
    ['fireworks', 'Fireworks AI', 'Fw'],
    ['https://api.fireworks.ai/inference/v1', 'https://app.fireworks.ai/settings/users/api-keys'],
    '',
  ),
  preset(
    ['huggingface', 'Hugging Face', 'HF'],
    ['https://router.huggingface.co/v1', 'https://huggingface.co/settings/tokens'],
    'huggingface inference hub',
  ),
  preset(
    ['cohere', 'Cohere', 'Co'],
    ['https://api.cohere.ai/compatibility/v1', 'https://dashboard.cohere.com/api-keys'],
    'command',
  ),
  preset(
    ['cerebras', 'Cerebras', 'Ce'],
    ['https://api.cerebras.ai/v1', 'https://cloud.cerebras.ai'],
    '',
  ),
  preset(
    ['nvidia', 'NVIDIA', 'Nv'],
    ['https://integrate.api.nvidia.com/v1', 'https://build.nvidia.com/settings/api-keys'],
    'nim nemotron',
  ),
  preset(
    ['sambanova', 'SambaNova', 'SN'],
    ['https://api.sambanova.ai/v1', 'https://cloud.sambanova.ai/apis'],
    'samba nova',
  ),
  preset(
    ['deepinfra', 'DeepInfra', 'DI'],
    ['https://api.deepinfra.com/v1/openai', 'https://deepinfra.com/dash/api_keys'],
    'deep infra',
  ),
  preset(
    ['moonshot', 'Moonshot AI', 'Mo'],
    ['https://api.moonshot.ai/v1', 'https://platform.moonshot.ai/console/api-keys'],
    'kimi',
  ),
  preset(
    ['qwen', 'Alibaba Qwen', 'Qw'],
    [
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
      'https://modelstudio.console.alibabacloud.com',
    ],
    'dashscope model studio tongyi',
  ),
  preset(
    ['zai', 'Z.ai', 'Z'],
    ['https://api.z.ai/api/paas/v4', 'https://z.ai/manage-apikey/apikey-list'],
    'zhipu glm',
  ),
  preset(
    ['siliconflow', 'SiliconFlow', 'SF'],
    ['https://api.siliconflow.com/v1', 'https://cloud.siliconflow.com/account/ak'],
    'silicon flow',
  ),
  preset(
    ['scaleway', 'Scaleway', 'Sc'],
    ['https://api.scaleway.ai/v1', 'https://console.scaleway.com/iam/api-keys'],
    '',
  ),
])

const runtime = (
  [id, name, letters]: readonly [string, string, string],
  url: string,
  aliases: string,
  kind: ConnectionKind = 'compatible',
): ProviderPreset => ({ id, name, letters, kind, url, keyPage: null, aliases })

/** Self-hosted runtimes, with their default URLs. */
export const RUNTIME_PRESETS: readonly ProviderPreset[] = Object.freeze([
  runtime(['ollama', 'Ollama', 'Ol'], 'http://127.0.0.1:11434', '', 'runtime'),
  runtime(['lm-studio', 'LM Studio', 'LM'], 'http://127.0.0.1:1234/v1', 'lmstudio'),
  runtime(
    ['llama-cpp', 'llama.cpp', 'Lc'],
    'http://127.0.0.1:8080/v1',
    'llamacpp llama-server gguf',
  ),
  runtime(['vllm', 'vLLM', 'vL'], 'http://127.0.0.1:8000/v1', ''),
  runtime(['jan', 'Jan', 'Ja'], 'http://127.0.0.1:1337/v1', ''),
  runtime(['koboldcpp', 'KoboldCpp', 'Ko'], 'http://127.0.0.1:5001/v1', 'kobold'),
  runtime(['localai', 'LocalAI', 'LA'], 'http://127.0.0.1:8080/v1', 'local ai'),
  runtime(['gpt4all', 'GPT4All', 'G4'], 'http://127.0.0.1:4891/v1', 'nomic'),
  runtime(['sglang', 'SGLang', 'SG'], 'http://127.0.0.1:30000/v1', ''),
  runtime(
    ['text-generation-webui', 'Text Generation WebUI', 'TG'],
    'http://127.0.0.1:5000/v1',
    'oobabooga',
  ),
])

/** Billing pages of the providers that have a separate one. */
const BILLING_PAGES: ReadonlyMap<string, string> = new Map([
  ['openai', 'https://platform.openai.com/settings/organization/billing/overview'],
  ['anthropic', 'https://console.anthropic.com/settings/billing'],
  ['mistral', 'https://console.mistral.ai/billing'],
  ['openrouter', 'https://openrouter.ai/settings/credits'],
  ['groq', 'https://console.groq.com/settings/billing'],
  ['deepseek', 'https://platform.deepseek.com/top_up'],
  ['together', 'https://api.together.ai/settings/billing'],
  ['huggingface', 'https://huggingface.co/settings/billing'],
  ['cohere', 'https://dashboard.cohere.com/billing'],
  ['deepinfra', 'https://deepinfra.com/dash/billing'],
])

/**
 * Returns the account page of a provider: its billing page, otherwise the page where its keys are
 * created.
 */
export function accountPageOf({ id, keyPage }: ProviderPreset): {
  readonly url: string
  readonly isBilling: boolean
} | null {
  const billing = BILLING_PAGES.get(id)
  if (billing !== undefined) return { url: billing, isBilling: true }
  return keyPage === null ? null : { url: new URL(keyPage).origin, isBilling: false }
}

const ALL_PRESETS = [...RUNTIME_PRESETS, ...PROVIDER_PRESETS]
const PRESETS_BY_ID: ReadonlyMap<string, ProviderPreset> = new Map(
  ALL_PRESETS.map((each) => [each.id, each]),
)

/** True for a self-hosted runtime, which only needs a URL. */
export const isRuntime = ({ keyPage }: ProviderPreset): boolean => keyPage === null

export const findPreset = (id: string): ProviderPreset | null => PRESETS_BY_ID.get(id) ?? null

/** True if the user has to fill in a part of the URL. */
export const isTemplate = ({ url }: ProviderPreset): boolean => url.includes('<')

/** Returns the presets whose name, aliases or URL contain every search term. */
export function searchPresets(query: string): readonly ProviderPreset[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return ALL_PRESETS.filter(({ name, aliases, url }) => {
    const text = `${name} ${aliases} ${url}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Returns the host of a URL; for a template, without the user-specific part. */
const hostOf = (url: string): string => URL.parse(url.replace(/<\w+>\./, ''))?.host ?? ''

const isLoopback = (url: string): boolean =>
  /^(127(\.\d+){3}|localhost|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

/** Returns the runtime that is the only one to use the port of a URL. */
function runtimeAt(url: string): ProviderPreset | null {
  const port = URL.parse(url)?.port
  const found = RUNTIME_PRESETS.filter((each) => URL.parse(each.url)?.port === port)
  return found.length === 1 ? found[0]! : null
}

/** Returns the provider of a URL, so that a connection shows its logo. */
export function presetOf(url: string): ProviderPreset | null {
  const host = hostOf(url)
  if (isLoopback(url)) return runtimeAt(url)
  const isAt = (each: ProviderPreset): boolean =>
    host === hostOf(each.url) || (isTemplate(each) && host.endsWith(`.${hostOf(each.url)}`))
  return host === '' ? null : (PROVIDER_PRESETS.find(isAt) ?? null)
}
