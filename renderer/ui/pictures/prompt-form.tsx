import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { TextArea } from '../fields/text-field.tsx'

interface PromptFormProps {
  readonly label: string
  readonly placeholder: string
  readonly makeLabel: string
  readonly makeIcon?: ReactNode
  /** Content beside the button, such as the size. */
  readonly beside: ReactNode
  readonly isFocused?: boolean
  readonly onMake: (prompt: string) => void
}

/** Input for a picture's prompt; Enter generates it, Shift+Enter inserts a line break. */
export function PromptForm({ beside, isFocused = false, onMake, ...texts }: PromptFormProps) {
  const [prompt, setPrompt] = useState('')
  const isEmpty = prompt.trim() === ''
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isEmpty) onMake(prompt.trim())
  }
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-3">
      <TextArea
        label={texts.label}
        placeholder={texts.placeholder}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for where the form was just opened
        autoFocus={isFocused}
        rows={2}
        maxLength={100_000}
        value={prompt}
        onChange={setPrompt}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing)
            handleSubmit(event)
        }}
      />
      <div className="flex flex-wrap items-end justify-end gap-3">
        {beside}
        <Button type="submit" tone="primary" icon={texts.makeIcon} disabled={isEmpty}>
          {texts.makeLabel}
        </Button>
      </div>
    </form>
  )
}
