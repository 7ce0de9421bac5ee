import { type FocusEvent, type FormEvent, useState } from 'react'
import { TypedText } from '../../lib/typed-text.ts'

/**
 * Tracks unsaved text in a part of the page; its handlers must be attached to the part's element.
 */
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
