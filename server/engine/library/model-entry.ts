import type { GgufInfo } from './read-gguf.ts'

/** A model file the engine may load. */
export interface ModelEntry {
  /** What calls name it by. */
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly modifiedAt: Date
  /** Changes with the content of the file. */
  readonly digest: string
  /** The program whose file it is; null for one of our own folder. */
  readonly owner: string | null
  readonly info: GgufInfo | null
  /** Why it cannot be used, in a sentence; null where it can. */
  readonly problem: string | null
}

/** What a model is good for. */
export type ModelTask = 'chat' | 'embedding' | 'reranking'

const RANK_POOLING = 4
const EMBEDDING_ARCHITECTURE = /bert|embedding/

export function taskOf({ architecture, pooling }: GgufInfo): ModelTask {
  if (pooling === RANK_POOLING) return 'reranking'
  const embeds = (pooling ?? 0) > 0 || EMBEDDING_ARCHITECTURE.test(architecture)
  return embeds ? 'embedding' : 'chat'
}

/** The words of the dialect for what a model can. */
export function capabilitiesOf(info: GgufInfo): string[] {
  const task = taskOf(info)
  if (task !== 'chat') return [task === 'reranking' ? 'rerank' : 'embedding']
  const template = info.chatTemplate ?? ''
  return [
    'completion',
    ...(/\btools\b/.test(template) ? ['tools'] : []),
    ...(/<think>|enable_thinking|reasoning_content/.test(template) ? ['thinking'] : []),
  ]
}

const BILLION = 1e9
const MILLION = 1e6

export const parameterSize = ({ parameters }: GgufInfo): string =>
  parameters >= BILLION
    ? `${(parameters / BILLION).toFixed(1)}B`
    : `${(parameters / MILLION).toFixed(1)}M`
