/**
 * Marks cut from the package at build time: their names here, and the file in the package. Providers
 * have the name of their preset.
 */
export const PROVIDER_MARKS = Object.freeze({
  openai: 'openai',
  anthropic: 'anthropic',
  claude: 'claude',
  google: 'gemini',
  gemma: 'google',
  mistral: 'mistral',
  openrouter: 'openrouter',
  groq: 'groq',
  deepseek: 'deepseek',
  xai: 'xai',
  grok: 'grok',
  azure: 'azureai',
  together: 'together',
  fireworks: 'fireworks',
  huggingface: 'huggingface',
  cohere: 'cohere',
  cerebras: 'cerebras',
  nvidia: 'nvidia',
  sambanova: 'sambanova',
  deepinfra: 'deepinfra',
  moonshot: 'kimi',
  qwen: 'qwen',
  zai: 'zai',
  siliconflow: 'siliconcloud',
  ollama: 'ollama',
  'lm-studio': 'lmstudio',
  vllm: 'vllm',
  meta: 'meta',
  microsoft: 'microsoft',
  perplexity: 'perplexity',
  ibm: 'ibm',
  aws: 'bedrock',
  minimax: 'minimax',
} as const)

export type ProviderMark = keyof typeof PROVIDER_MARKS
