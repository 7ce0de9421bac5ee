import { useState, type KeyboardEvent } from 'react'

interface InlineEditorProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onSave: (value: string) => void
  readonly onCancel: () => void
}

/** In-place editor of a name. Enter and blur save it, Escape discards it. */
export function InlineEditor({ label, value, maxLength, onSave, onCancel }: InlineEditorProps) {
  const [text, setText] = useState(value)
  const handleKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onSave(text)
    if (event.key === 'Escape') onCancel()
  }
  return (
    <input
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type here
      autoFocus
      value={text}
      maxLength={maxLength}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onSave(text)}
      onKeyDown={handleKeyDown}
      className="h-(--row) w-full min-w-0 rounded-medium border border-accent bg-raised px-2.5 text-ui outline-none pointer-coarse:min-h-11"
    />
  )
}
