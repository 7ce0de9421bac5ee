import { type RefObject, Suspense, useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Prompt } from '#contract/prompts.ts'
import { replaceTypedWord, type TypedWord } from '../../ui/typed-word/find-typed-word.ts'
import { TypedList } from '../../ui/typed-word/typed-list.tsx'
import { placeCaret, useTypedRows, useTypedWord } from '../../ui/typed-word/use-typed-word.ts'
import { builtInValues, type PromptUser } from './built-in-values.ts'
import { rankPrompts, toSlash } from './rank-prompts.ts'
import { fillVariables, readVariables } from './prompt-variables.ts'
import type { PromptsStore } from './prompts-store.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const VariablesDialog = lazyPart(() => import('./variables-dialog.tsx'), 'VariablesDialog')

interface PromptMenuProps {
  readonly store: PromptsStore
  readonly user: PromptUser
  /** Input box in which the slash is typed, and its text. */
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
  /** Opens the prompt editor; absent for users without the permission. */
  readonly onCreate?: () => void
}

interface Choice {
  readonly prompt: Prompt
  readonly command: TypedWord
}

/** Replaces the command by the filled prompt and places the caret after it. */
function insertPrompt(
  { user, box, text, onChange }: PromptMenuProps,
  choice: Choice,
  values: ReadonlyMap<string, string>,
): void {
  const piece = fillVariables(
    choice.prompt.content,
    new Map([...builtInValues(user, new Date()), ...values]),
  )
  const next = replaceTypedWord(box.current?.value ?? text, choice.command, piece)
  onChange(next.text)
  placeCaret(box, next.caret)
}

/**
 * Menu of the prompt library after a slash: typing filters, Enter inserts the prompt, Escape keeps
 * the slash as text.
 */
export function PromptMenu(props: PromptMenuProps) {
  const { store, box, text, onCreate } = props
  const { t } = useTranslation()
  const listId = useId()
  const prompts = useStore(store, (state) => state.items)
  const { found: command, dismiss } = useTypedWord(box, text, '/')
  const [filling, setFilling] = useState<Choice | null>(null)
  const word = command?.word ?? null
  const found = useMemo(() => (word === null ? [] : rankPrompts(prompts, word)), [prompts, word])
  // If there are no prompts, a lone slash offers to create the first one.
  const hasNone = useStore(store, (state) => state.status === 'ready' && prompts.length === 0)
  const offersFirst = hasNone && word === '' && onCreate !== undefined
  const count = offersFirst ? 1 : found.length
  const isTyping = command !== null
  useEffect(() => {
    if (isTyping) void store.load()
  }, [isTyping, store])

  const choose = (prompt: Prompt | undefined): void => {
    if (!command) return
    if (!prompt) return onCreate?.()
    if (readVariables(prompt.content).length > 0) setFilling({ prompt, command })
    else insertPrompt(props, { prompt, command }, new Map())
  }
  const { isOpen, index, goTo } = useTypedRows(box, {
    listId,
    word,
    count,
    onChoose: (row) => choose(found[row]),
    onDismiss: () => command && dismiss(command.start),
  })

  return (
    <>
      {isOpen && (
        <TypedList
          id={listId}
          label={t('prompts.menu')}
          hint={t('prompts.menuHint')}
          entries={
            offersFirst
              ? [{ key: '', label: t('prompts.createFirst'), detail: t('prompts.none') }]
              : found.map((prompt) => ({
                  key: prompt.id,
                  label: toSlash(prompt.command),
                  detail: prompt.name,
                }))
          }
          activeIndex={index}
          onHover={goTo}
          onChoose={(row) => choose(found[row])}
        />
      )}
      {filling && (
        <Suspense>
          <VariablesDialog
            prompt={filling.prompt}
            onCancel={() => setFilling(null)}
            onDone={(values) => {
              setFilling(null)
              insertPrompt(props, filling, values)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
