import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type katex from 'katex'

type Katex = typeof katex

let loaded: Katex | null = null

async function loadKatex(): Promise<Katex> {
  const [module] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')])
  loaded = module.default
  return loaded
}

/** Returns the formula library once it is loaded. */
function useKatex(): Katex | null {
  const [library, setLibrary] = useState(loaded)
  useEffect(() => {
    if (library) return
    let isWanted = true
    void loadKatex().then((found) => isWanted && setLibrary(() => found))
    return () => {
      isWanted = false
    }
  }, [library])
  return library
}

const OPTIONS = {
  throwOnError: true,
  strict: 'ignore',
  trust: false,
  maxExpand: 500,
  maxSize: 20,
} as const

function drawFormula(library: Katex, place: HTMLElement, source: string, isDisplay: boolean): void {
  try {
    library.render(source, place, { ...OPTIONS, displayMode: isDisplay })
  } catch {
    // Invalid formulas are shown as source.
    place.textContent = source
  }
}

/**
 * A formula. Rendered as elements rather than an HTML string, to comply with the page's policy; its
 * source is shown until then and on failure.
 */
export function MathView({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const library = useKatex()
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (library && place.current) drawFormula(library, place.current, source, isDisplay)
  }, [library, source, isDisplay])
  const name = isDisplay ? 'math-display' : undefined
  if (!library) return <span className={name}>{source}</span>
  return <span key="drawn" ref={place} className={name} dir="ltr" />
}
