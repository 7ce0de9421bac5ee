import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type katex from 'katex'

type Katex = typeof katex

let loaded: Katex | null = null

async function loadKatex(): Promise<Katex> {
  const [module] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')])
  loaded = module.default
  return loaded
}

/** The formula library, once it is there. */
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

/** A formula. Drawn as elements, not as HTML text, so that the page policy holds; its source is shown until then and on failure. */
export function MathView({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const library = useKatex()
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!library || !place.current) return
    library.render(source, place.current, {
      displayMode: isDisplay,
      throwOnError: false,
      strict: 'ignore',
      trust: false,
      maxExpand: 500,
      maxSize: 20,
      errorColor: 'currentColor',
    })
  }, [library, source, isDisplay])
  const name = isDisplay ? 'math-display' : undefined
  if (!library) return <span className={name}>{source}</span>
  return <span key="drawn" ref={place} className={name} dir="ltr" />
}
