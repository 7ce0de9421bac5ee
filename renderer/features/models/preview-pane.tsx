import { ArrowUp, Eraser, Square } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { type ModelDraft, toParams } from './model-draft.ts'

/** A streamed part of an answer. */
export interface PreviewPiece {
  readonly content: string
  readonly failure: string | null
}

/** Requests an answer from a model without storing anything. */
export type StreamAnswer = (
  request: ChatCompletionRequest,
  signal: AbortSignal,
) => AsyncIterable<PreviewPiece>

interface Turn {
  readonly question: string
  readonly answer: string
  readonly failure: string | null
}

/** Returns the conversation so far as a request with the parameters of the form. */
export function toPreviewRequest(draft: ModelDraft, turns: readonly Turn[]): ChatCompletionRequest {
  const messages = turns.flatMap(({ question, answer }) => [
    { role: 'user', content: question },
    ...(answer ? [{ role: 'assistant', content: answer }] : []),
  ])
  return { model: draft.baseId ?? draft.id, messages, stream: true, params: toParams(draft) }
}

/** The answers of the preview and what can be done with them. */
export function usePreview(draft: ModelDraft, stream: StreamAnswer) {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [running, setRunning] = useState<AbortController | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const changeLast = (change: (turn: Turn) => Turn): void =>
    setTurns((before) =>
      before.map((turn, place) => (place === before.length - 1 ? change(turn) : turn)),
    )
  async function ask(question: string): Promise<void> {
    const controller = (abort.current = new AbortController())
    const asked = [...turns, { question, answer: '', failure: null }]
    setTurns(asked)
    setRunning(controller)
    try {
      for await (const { content, failure } of stream(
        toPreviewRequest(draft, asked),
        controller.signal,
      )) {
        changeLast((turn) => ({
          ...turn,
          answer: turn.answer + content,
          failure: failure ?? turn.failure,
        }))
      }
    } catch (thrown) {
      if (!isAborted(thrown)) changeLast((turn) => ({ ...turn, failure: toSentence(thrown) }))
    } finally {
      setRunning(null)
    }
  }
  const clear = (): void => {
    abort.current?.abort()
    setTurns([])
  }
  return { turns, isRunning: running !== null, ask, stop: () => running?.abort(), clear }
}

function TurnView({
  turn,
  isLast,
  isRunning,
}: {
  turn: Turn
  isLast: boolean
  isRunning: boolean
}) {
  return (
    <>
      <p
        dir="auto"
        className="ms-auto max-w-[85%] rounded-large bg-hover px-3 py-1.5 whitespace-pre-wrap wrap-anywhere"
      >
        {turn.question}
      </p>
      <div className="text-ui">
        {turn.answer && <Markdown text={turn.answer} isGrowing={isLast && isRunning} />}
        {turn.failure !== null && (
          <p role="alert" className="text-danger wrap-anywhere">
            {turn.failure}
          </p>
        )}
        {isLast && isRunning && !turn.answer && <Spinner />}
      </div>
    </>
  )
}

interface PreviewProps {
  readonly draft: ModelDraft
  readonly preview: ReturnType<typeof usePreview>
  /** Notice about the preview. */
  readonly remark: string | null
}

interface MessageBoxProps {
  readonly preview: ReturnType<typeof usePreview>
  readonly hasModel: boolean
  readonly children?: ReactNode
}

function MessageBox({ preview, hasModel, children }: MessageBoxProps) {
  const { t } = useTranslation()
  const { isRunning, ask, stop } = preview
  const [text, setText] = useState('')
  const reason = !hasModel
    ? t('models.preview.noBase')
    : text.trim()
      ? null
      : t('models.preview.empty')
  const send = (): void => {
    if (reason !== null || isRunning) return
    setText('')
    void ask(text.trim())
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (
      event.key !== 'Enter' ||
      event.shiftKey ||
      event.nativeEvent.isComposing ||
      event.keyCode === 229
    )
      return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={handleSubmit}
      className="flex shrink-0 items-end gap-1 border-t border-line p-2"
    >
      {children}
      <textarea
        rows={1}
        dir="auto"
        aria-label={t('models.preview.message')}
        placeholder={t('models.preview.message')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-32 min-h-8 min-w-0 pointer-coarse:min-h-11 pointer-coarse:py-3 flex-1 resize-none rounded-medium bg-transparent px-2 py-1.5 outline-none focus-visible:bg-hover"
      />
      {isRunning ? (
        <IconButton
          label={t('models.preview.stop')}
          side="top"
          icon={<Square className="size-3! fill-current" />}
          onClick={stop}
        />
      ) : (
        <IconButton
          type="submit"
          label={t('models.preview.send')}
          hint={reason ?? undefined}
          side="top"
          aria-disabled={reason !== null}
          icon={<ArrowUp />}
        />
      )}
    </form>
  )
}

function ClearButton({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const { t } = useTranslation()
  return (
    <IconButton
      label={t('models.preview.clear')}
      icon={<Eraser />}
      disabled={preview.turns.length === 0}
      onClick={preview.clear}
    />
  )
}

function Turns({ preview: { turns, isRunning } }: { preview: ReturnType<typeof usePreview> }) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }, [turns])
  return (
    <div
      ref={list}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={t('models.preview.log')}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4"
    >
      {turns.length === 0 && (
        <p className="m-auto max-w-60 text-center text-small text-pretty text-muted">
          {t('models.preview.text')}
        </p>
      )}
      {turns.map((turn, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- turns have no other key than their index
        <TurnView
          key={place}
          turn={turn}
          isLast={place === turns.length - 1}
          isRunning={isRunning}
        />
      ))}
    </div>
  )
}

const Remark = ({ text }: { text: string | null }) =>
  text && <p className="border-t border-line px-4 py-2 text-small text-pretty text-muted">{text}</p>

/** A preview chat with the model as currently configured in the form; nothing is stored. */
export function PreviewPane({ draft, preview, remark }: PreviewProps) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={t('models.preview.title')}
      className="sticky top-4 flex h-[calc(100dvh-13rem)] min-w-0 flex-col rounded-large border border-line bg-page"
    >
      <div className="flex h-11 shrink-0 items-center border-b border-line ps-4 pe-1.5">
        <h2 className="flex-1 font-medium">{t('models.preview.title')}</h2>
        <ClearButton preview={preview} />
      </div>
      <Turns preview={preview} />
      <Remark text={remark} />
      <MessageBox preview={preview} hasModel={draft.baseId !== ''} />
    </section>
  )
}

/** The preview chat over the form. */
export function PreviewDialog({
  draft,
  preview,
  remark,
  onClose,
}: PreviewProps & { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onClose} title={t('models.preview.title')} wide>
      <div className="flex h-[min(28rem,calc(var(--seen-height,100dvh)-8rem))] flex-col rounded-large border border-line bg-page">
        <Turns preview={preview} />
        <Remark text={remark} />
        <MessageBox preview={preview} hasModel={draft.baseId !== ''}>
          <ClearButton preview={preview} />
        </MessageBox>
      </div>
    </Dialog>
  )
}
