import { useState } from 'react'
import { TextField } from './text-field.tsx'

interface TagsFieldProps {
  readonly label: string
  readonly hint?: string
  readonly tags: readonly string[]
  readonly onChange: (tags: string[]) => void
}

const parse = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** Tags as comma-separated text. */
export function TagsField({ label, hint, tags, onChange }: TagsFieldProps) {
  const [text, setText] = useState(tags.join(', '))
  // Typed text is kept as typed; only a list changed from outside replaces it.
  const shown = parse(text).join('\n') === tags.join('\n') ? text : tags.join(', ')
  return (
    <TextField
      label={label}
      hint={hint}
      autoComplete="off"
      value={shown}
      onChange={(value) => {
        setText(value)
        onChange(parse(value))
      }}
    />
  )
}
