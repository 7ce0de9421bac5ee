import type { GgufInfo } from './read-gguf.ts'

/** A model file the engine may load. */
export interface ModelEntry {
  /** Name used in calls. */
  readonly name: string
  /** Names of repositories by which it was pulled. */
  readonly pulledNames: readonly string[]
  readonly file: string
  readonly bytes: number
  readonly modifiedAt: Date
  /** Changes with the content of the file. */
  readonly digest: string
  /** The program that owns the file; null for the gateway's own folder. */
  readonly owner: string | null
  readonly info: GgufInfo | null
  /** Reason why it cannot be used, as a sentence; null if it can. */
  readonly problem: string | null
}

/** Purpose of a model. */
export type ModelTask = 'chat' | 'embedding' | 'reranking'

const RANK_POOLING = 4
const EMBEDDING_ARCHITECTURE = /bert|embedding/

export function taskOf({ architecture, pooling }: GgufInfo): ModelTask {
  if (pooling === RANK_POOLING) return 'reranking'
  const embeds = (pooling ?? 0) > 0 || EMBEDDING_ARCHITECTURE.test(architecture)
  return embeds ? 'embedding' : 'chat'
}

/** Returns the names this protocol has for the capabilities of a model. */
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
