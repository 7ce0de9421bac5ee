import type { ProviderMark } from './mark-names.ts'

/**
 * Marks of model families by words in a model's id, the more specific ones first: a model distilled
 * from another family names both.
 */
const FAMILIES: readonly (readonly [ProviderMark, RegExp])[] = [
  ['deepseek', /deepseek/],
  ['nvidia', /nemotron|nvidia/],
  [
    'openai',
    /gpt-?(oss|\d)|chatgpt|(?<![a-z\d])o[134](-|$|:)|dall-e|whisper|text-embedding-(ada|3)/,
  ],
  ['claude', /claude/],
  ['google', /gemini/],
  ['gemma', /gemma/],
  ['mistral', /mistral|mixtral|codestral|ministral|magistral|devstral|pixtral|voxtral/],
  ['qwen', /qwen|qwq/],
  ['microsoft', /(?<![a-z])phi-?\d/],
  ['grok', /(?<![a-z])grok-/],
  ['cohere', /command-(r|a|light|nightly)|(?<![a-z])aya-|c4ai/],
  ['moonshot', /kimi|moonshot/],
  ['zai', /(?<![a-z])(chat)?glm-?\d/],
  ['perplexity', /(?<![a-z])sonar/],
  ['ibm', /granite/],
  ['aws', /amazon[./]?nova|(?<![a-z])nova-(micro|lite|pro|premier)/],
  ['minimax', /minimax/],
  ['huggingface', /smollm/],
  ['meta', /(?<![a-z])(code|tiny)?-?llama/],
]

/** Returns the mark of the family that a model's id names. */
export function findMark(modelId: string): ProviderMark | null {
  const id = modelId.toLowerCase()
  // The last part names the model; those before it name who offers it.
  const name = id.slice(id.lastIndexOf('/') + 1)
  const isNamed = ([, words]: (typeof FAMILIES)[number]) => words.test(name)
  return (FAMILIES.find(isNamed) ?? FAMILIES.find(([, words]) => words.test(id)))?.[0] ?? null
}
