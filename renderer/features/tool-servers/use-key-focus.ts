import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the key of a form when it opens; the choice of a sign-in where it has no key yet. */
export function useKeyFocus(isAsked: boolean): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isAsked) return
    const key = fields.current?.querySelector<HTMLElement>('input[type=password]')
    ;(key ?? fields.current?.querySelector('select'))?.focus()
  }, [isAsked])
  return fields
}
