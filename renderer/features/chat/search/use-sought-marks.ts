import { useEffect } from 'react'
import './find-bar.css'
import { findRanges } from './find-messages.ts'
import { canMark, findDrawn, followMessages } from '../messages/follow-messages.ts'

const SOUGHT = 'sought'

/** Highlights the search terms in the message found, while both are shown. */
export function useSoughtMarks(messageId: string | null, words: string, isShown: boolean): void {
  useEffect(() => {
    if (!canMark || !isShown || messageId === null || words === '') return
    const end = followMessages(() => {
      const message = findDrawn(messageId)
      const ranges = message ? words.split(' ').flatMap((word) => findRanges(message, word)) : []
      CSS.highlights.set(SOUGHT, new Highlight(...ranges))
    })
    return () => {
      end()
      CSS.highlights.delete(SOUGHT)
    }
  }, [messageId, words, isShown])
}
