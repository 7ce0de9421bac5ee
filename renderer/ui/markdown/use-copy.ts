import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'

const SHOWN_MS = 1600

/** Copies text and shows briefly whether that succeeded. */
export function useCopy(): {
  state: 'idle' | 'copied' | 'failed'
  copy: (text: string) => Promise<void>
} {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (text: string): Promise<void> => {
    try {
      await copyText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return { state, copy }
}
