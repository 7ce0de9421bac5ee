import { totalmem } from 'node:os'
import type { OfferedLocalModel } from '#contract/engine.ts'

type Offer = Omit<OfferedLocalModel, 'memory' | 'fits'>

/** A few openly licensed models, each for another purpose or computer size; sizes are rounded. */
const OFFERS: readonly Offer[] = [
  {
    source: 'Qwen/Qwen3-0.6B-GGUF:Q8_0',
    title: 'Qwen3 0.6B',
    task: 'small',
    bytes: 640_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'Qwen/Qwen3-4B-GGUF:Q4_K_M',
    title: 'Qwen3 4B',
    task: 'chat',
    bytes: 2_500_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'Qwen/Qwen3-8B-GGUF:Q4_K_M',
    title: 'Qwen3 8B',
    task: 'chat',
    bytes: 5_030_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'ggml-org/gpt-oss-20b-GGUF:mxfp4',
    title: 'gpt-oss 20B',
    task: 'chat',
    bytes: 12_100_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0',
    title: 'Nomic Embed Text 1.5',
    task: 'embedding',
    bytes: 146_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'Qwen/Qwen3-Embedding-0.6B-GGUF:Q8_0',
    title: 'Qwen3 Embedding 0.6B',
    task: 'embedding',
    bytes: 639_000_000,
    license: 'apache-2.0',
  },
  {
    source: 'gpustack/bge-reranker-v2-m3-GGUF:Q8_0',
    title: 'BGE Reranker v2 M3',
    task: 'reranking',
    bytes: 636_000_000,
    license: 'apache-2.0',
  },
]

/** Memory besides the weights: the context stored for every token, and the program itself. */
const OVERHEAD = 1.15
const CONTEXT_BYTES = 500_000_000
/** The remaining memory is for the system and other programs. */
const SHARE = 0.75

export const memoryOf = (bytes: number): number => Math.round(bytes * OVERHEAD + CONTEXT_BYTES)

export const fitsHere = (bytes: number): boolean => memoryOf(bytes) <= totalmem() * SHARE

export const listOffers = (): OfferedLocalModel[] =>
  OFFERS.map((offer) => ({
    ...offer,
    memory: memoryOf(offer.bytes),
    fits: fitsHere(offer.bytes),
  }))
