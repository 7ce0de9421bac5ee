import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'
import './markdown.css'
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

/** Fetches the parser; call it early, so that the first answer finds it there. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./markdown-blocks.tsx').then(
    (module) => {
      blocks = module.MarkdownBlocks
      for (const listener of listeners) listener()
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => module.warmUp())
    },
    () => {
      // The page is left, or the gateway is away: the text stays plain, and the next one asks again.
      loading = null
    },
  )
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
      <PlainOnError text={text}>{drawn ? createElement(drawn, { text, isGrowing }) : <PlainText text={text} />}</PlainOnError>
    </div>
  )
}
