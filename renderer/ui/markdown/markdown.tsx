import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'
import './markdown.css'
import type * as BlocksModule from './markdown-blocks.tsx'
import { PlainOnError, PlainText } from './plain-on-error.tsx'

interface MarkdownProps {
  readonly text: string
  /** True while more text may come. */
  readonly isGrowing?: boolean
}

type Blocks = ComponentType<{ text: string; isGrowing: boolean }>

let blocks: Blocks | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

async function fetchBlocks(): Promise<void> {
  let loaded: typeof BlocksModule
  try {
    // Awaited: the bundler takes a `then` of the import into its own loader, whose faults would
    // pass it by.
    loaded = await import('./markdown-blocks.tsx')
  } catch {
    // The page is left, or the gateway is away: the text stays plain, and the next one asks again.
    loading = null
    return
  }
  const { MarkdownBlocks, warmUp } = loaded
  blocks = MarkdownBlocks
  for (const listener of listeners) listener()
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => warmUp())
}

/** Fetches the parser; call it early, so that the first answer finds it there. */
export function loadMarkdown(): Promise<void> {
  loading ??= fetchBlocks()
  return loading
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Text of a model. Nothing in it can run, load or lead anywhere by itself. */
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
