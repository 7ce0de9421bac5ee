import { lazy, type RefObject, Suspense, useEffect, useId, useMemo, useState } from 'react'
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

const VariablesDialog = lazy(async () => ({
  default: (await import('./variables-dialog.tsx')).VariablesDialog,
}))

interface PromptMenuProps {
  readonly store: PromptsStore
  readonly user: PromptUser
  /** The box the slash is typed in, and its text. */
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
  /** Leads to where prompts are written; absent for people who may not. */
  readonly onCreate?: (() => void) | undefined
}

interface Choice {
  readonly prompt: Prompt
  readonly command: TypedWord
}

/** Puts a filled prompt in place of the command; the caret then stands behind it. */
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
 * The prompt library under a slash: type on to narrow it, Enter takes the prompt, Escape leaves the
 * slash a slash.
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
  // With nothing there, a lone slash offers the first one.
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
