import { type FocusEvent, type FormEvent, useState } from 'react'
import { TypedText } from '../lib/typed-text.ts'

/** Watches a part of the page for text that would be lost; its handlers belong to the part's box. */
export function useTypedText() {
  const [typed] = useState(() => new TypedText())
  return {
    handlers: {
      onFocusCapture: (event: FocusEvent) => typed.begin(event.target),
      onSubmitCapture: (event: FormEvent) => typed.settle(event.target),
    },
    isUnsaved: () => typed.isUnsaved(),
  }
}
