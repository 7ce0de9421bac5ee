import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { useChat, useChatView } from './chat-context.ts'
import { chatDeps } from './chat-registry.ts'
import type { ChatRights } from './chat-rights.ts'
import { type ChatStore, isTemporaryId } from './chat-store.ts'
import { toastError } from '../../ui/floating/toast.tsx'

/** Parameters adjustable per chat, with the range the models accept. */
const NUMBERS = [
  { key: 'temperature', min: 0, max: 2, step: 0.1 },
  { key: 'top_p', min: 0, max: 1, step: 0.05 },
  { key: 'max_tokens', min: 1, max: 1_000_000, step: 1 },
  { key: 'frequency_penalty', min: -2, max: 2, step: 0.1 },
  { key: 'presence_penalty', min: -2, max: 2, step: 0.1 },
  { key: 'seed', min: 0, max: 2_147_483_647, step: 1 },
] as const

const SAVE_AFTER_MS = 400

type Params = Readonly<Record<string, unknown>>

/** Returns the parameters with one changed; an empty value leaves the choice to the model. */
export function withParam(params: Params, key: string, value: string | number | null): Params {
  const { [key]: _before, ...rest } = params
  return value === null || value === '' ? rest : { ...rest, [key]: value }
}

/** Resolves with false for a chat that is not stored; its parameters go along with its messages. */
async function saveParams(store: ChatStore): Promise<boolean> {
  const { chatId, params } = store.getState()
  if (chatId === null || isTemporaryId(chatId)) return false
  await chatDeps.api.update(chatId, { params })
  return true
}

interface Saving {
  /** True while the latest change is stored. */
  readonly isSaved: boolean
  readonly save: (params: Params) => void
}

/**
 * Applies changes immediately and stores them shortly after the last one, even if the panel closes
 * meanwhile.
 */
function useSave(store: ChatStore): Saving {
  const [isSaved, setSaved] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const latest = useRef<Params | null>(null)
  const flush = useRef(() => {
    if (timer.current === null) return
    clearTimeout(timer.current)
    timer.current = null
    const { params } = store.getState()
    saveParams(store)
      .then((isStored) => setSaved(isStored && latest.current === params))
      .catch(toastError)
  })
  useEffect(() => flush.current, [])
  const save = (params: Params): void => {
    store.setState({ params })
    latest.current = params
    setSaved(false)
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = setTimeout(() => flush.current(), SAVE_AFTER_MS)
  }
  return { isSaved, save }
}

const toShown = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : ''

interface NumbersProps {
  readonly params: Params
  readonly onChange: (key: string, value: number | null) => void
}

/** Sampling values, which few people change. */
function Numbers({ params, onChange }: NumbersProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-5 pt-3">
      {NUMBERS.map(({ key, min, max, step }) => {
        const value = params[key]
        const isOff = typeof value === 'number' && (value < min || value > max)
        return (
          <TextField
            key={key}
            type="number"
            inputMode="decimal"
            label={t(`chat.controls.${key}`)}
            hint={t(`chat.controls.${key}Hint`)}
            error={isOff ? t('chat.controls.range', { min, max }) : null}
            placeholder={t('chat.controls.default')}
            min={min}
            max={max}
            step={step}
            value={toShown(value)}
            onChange={(text) => onChange(key, text === '' ? null : Number(text))}
          />
        )
      })}
    </div>
  )
}

/** System prompt and sampling values of this chat. */
export function ChatControls({ rights }: { rights: ChatRights }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const params = useChat((state) => state.params)
  const { isSaved, save } = useSave(chat.store)
  const change = (key: string, value: string | number | null): void =>
    save(withParam(params, key, value))
  const isChanged = Object.keys(params).length > 0
  return (
    <div className="flex flex-col gap-5 pt-1">
      <p className="text-small text-muted">{t('chat.controls.lead')}</p>
      {rights.system && (
        <TextArea
          label={t('chat.controls.system')}
          hint={t('chat.controls.systemHint')}
          placeholder={t('chat.controls.systemExample')}
          rows={6}
          value={toShown(params.system)}
          onChange={(value) => change('system', value)}
        />
      )}
      {rights.params && (
        <FoldOut
          title={t('chat.controls.writing')}
          isOpen={!rights.system || NUMBERS.some(({ key }) => key in params)}
        >
          <Numbers params={params} onChange={change} />
        </FoldOut>
      )}
      {!rights.system && !rights.params && (
        <p className="text-ui">{t('chat.controls.notPermitted')}</p>
      )}
      <div className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-1">
        <Button aria-disabled={!isChanged} onClick={() => isChanged && save({})}>
          {t('chat.controls.reset')}
        </Button>
        <output className="flex items-center gap-1.5 text-small text-muted">
          {isSaved && (
            <>
              <Check aria-hidden="true" className="size-3.5 text-accent" />
              {t('common.saved')}
            </>
          )}
        </output>
      </div>
    </div>
  )
}
