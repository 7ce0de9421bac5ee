import { useEffect, useRef, useState } from 'react'
import { highlight, knownColours } from './highlight.ts'
import { toGrammarName } from './grammar-names.ts'
import type { ColouredLine } from './highlight-protocol.ts'

/** Growing code is highlighted at intervals; beyond this length only once it is complete. */
const LIVE_DELAY = 150
const LIVE_LENGTH = 20_000
const LONGEST = 400_000

type Lines = readonly ColouredLine[] | null

/**
 * Returns the colours of code, initially null. While the code grows, they belong to an earlier,
 * shorter text.
 */
export function useHighlight(code: string, language: string, isClosed: boolean): Lines {
  const grammar = toGrammarName(language)
  const [lines, setLines] = useState<Lines>(() =>
    grammar === null ? null : (knownColours(code, grammar) ?? null),
  )
  const latest = useRef(code)
  const isLive = !isClosed && code.length < LIVE_LENGTH

  useEffect(() => {
    latest.current = code
  }, [code])

  useEffect(() => {
    if (!grammar || isClosed || !isLive) return
    const timer = setInterval(
      () => void highlight(latest.current, grammar).then(setLines),
      LIVE_DELAY,
    )
    return () => clearInterval(timer)
  }, [grammar, isClosed, isLive])

  useEffect(() => {
    if (!grammar || !isClosed || code.length > LONGEST) return
    let isWanted = true
    void highlight(code, grammar).then((found) => isWanted && setLines(found))
    return () => {
      isWanted = false
    }
  }, [code, grammar, isClosed])

  return lines
}
