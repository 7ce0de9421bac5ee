import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { SecretField, TextArea, TextField } from '../../ui/fields/text-field.tsx'
import type { Dialogs, Question } from './dialogs-store.ts'
import { toFields, type Fields } from '../../lib/fields.ts'

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Converts options, which are strings or pairs of a value and a label. */
function toOptions(value: unknown): { value: string; label: string }[] {
  if (!Array.isArray(value)) return []
  return value.map((option: unknown) => {
    const fields = toFields(option)
    const plain = textOf(option) || textOf(fields.value)
    return { value: plain, label: textOf(fields.label) || plain }
  })
}

interface InputProps {
  readonly data: Fields
  readonly value: string
  readonly onChange: (value: string) => void
}

function AskedInput({ data, value, onChange }: InputProps) {
  const { t } = useTranslation()
  const input = toFields(data.input)
  const type = textOf(data.type) || textOf(input.type)
  const shared = {
    label: textOf(data.label) || t('dialogs.answer'),
    value,
    placeholder: textOf(data.placeholder),
    autoComplete: 'off',
    onChange,
  }
  if (type === 'password') return <SecretField {...shared} />
  if (type === 'select')
    return (
      <Select
        label={shared.label}
        value={value}
        options={toOptions(input.options ?? data.options)}
        onChange={onChange}
      />
    )
  if (type === 'textarea') return <TextArea {...shared} rows={5} />
  return <TextField {...shared} />
}

interface SheetProps {
  readonly question: Question
  readonly dialogs: Dialogs
  readonly chatTitle: string
  /** Number of questions after this one. */
  readonly waiting: number
}

function startOf({ data }: Question): string {
  const given = textOf(data.value)
  if (given !== '') return given
  const options = toOptions(toFields(data.input).options ?? data.options)
  return options[0]?.value ?? ''
}

function Sheet({ question, dialogs, chatTitle, waiting }: SheetProps) {
  const { t } = useTranslation()
  const { callId, kind, data } = question
  const [value, setValue] = useState(() => startOf(question))
  const isInput = kind === 'input'
  const refuse = (): void => dialogs.answer(callId, false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    dialogs.answer(callId, isInput ? value : true)
  }
  return (
    <FormDialog
      title={textOf(data.title) || t(isInput ? 'dialogs.inputTitle' : 'dialogs.confirmTitle')}
      description={textOf(data.message) || undefined}
      submission={{ handleSubmit: submit }}
      submitLabel={t(isInput ? 'dialogs.send' : 'dialogs.confirm')}
      onClose={refuse}
    >
      {isInput && <AskedInput data={data} value={value} onChange={setValue} />}
      <p className="text-small text-muted">
        {t('dialogs.askedIn', { title: chatTitle })}{' '}
        {waiting > 0 && t('dialogs.waiting', { count: waiting })}
      </p>
    </FormDialog>
  )
}

interface QuestionDialogProps {
  readonly dialogs: Dialogs
  /** Returns the title of a chat; empty if it has none. */
  readonly titleOf: (chatId: string) => string
}

/** The first pending question, over any screen; the next one follows its answer. */
export function QuestionDialog({ dialogs, titleOf }: QuestionDialogProps) {
  const { t } = useTranslation()
  const questions = useStore(dialogs.store, (state) => state.questions)
  const [question, ...others] = questions.filter(({ kind }) => kind !== 'approval')
  if (!question) return null
  const chatTitle = titleOf(question.chatId) || t('chats.untitled')
  return (
    <Sheet
      key={question.callId}
      question={question}
      dialogs={dialogs}
      chatTitle={chatTitle}
      waiting={others.length}
    />
  )
}
