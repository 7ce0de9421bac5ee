import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'
import './markdown.css'
import type * as BlocksModule from './markdown-blocks.tsx'
import { PlainOnError, PlainText } from './plain-on-error.tsx'

interface MarkdownProps {
  readonly text: string
  /** True while the text is being streamed. */
  readonly isGrowing?: boolean
}

type Blocks = ComponentType<{ text: string; isGrowing: boolean }>

let blocks: Blocks | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

async function fetchBlocks(): Promise<void> {
  let loaded: typeof BlocksModule
  try {
    // Uses await: the bundler would move a `then` of the import into its own loader, whose errors
    // would not be caught here.
    loaded = await import('./markdown-blocks.tsx')
  } catch {
    // The page was left or the gateway is unreachable: the text stays plain, and the next one tries
    // again.
    loading = null
    return
  }
  const { MarkdownBlocks, warmUp } = loaded
  blocks = MarkdownBlocks
  for (const listener of listeners) listener()
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => warmUp())
}

/** Loads the parser; call it early, so that it is ready for the first answer. */
export function loadMarkdown(): Promise<void> {
  loading ??= fetchBlocks()
  return loading
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Text of a model. Nothing in it can execute, load or navigate by itself. */
export function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const drawn = useSyncExternalStore(subscribe, () => blocks)
  useEffect(() => void loadMarkdown(), [])
  return (
    <div className="markdown" dir="auto">
      <PlainOnError text={text}>
        {drawn ? createElement(drawn, { text, isGrowing }) : <PlainText text={text} />}
      </PlainOnError>
    </div>
  )
}
