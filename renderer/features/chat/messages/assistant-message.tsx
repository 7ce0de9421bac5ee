import { type ComponentProps, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { ModelMark } from '../../../ui/marks/model-mark.tsx'
import { runCommand } from '../../../lib/commands.ts'
import { useChat, useChatView } from '../chat-context.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { type ChatMessage, isGrowing } from '../chat-store.ts'
import { AnswerOutline } from './answer-outline.tsx'
import { AnswerFiles } from '../pictures/answer-files.tsx'
import { ArtifactsContext } from '../../../ui/artifacts/artifacts-context.ts'
import { CodeCellsContext } from '../../../ui/markdown/code-cells.ts'
import { FollowUps } from './follow-ups.tsx'
import { AnswerActions } from './message-actions.tsx'
import { MessageEdit } from './message-edit.tsx'
import { MessageEmbeds } from './message-embeds.tsx'
import { MessageError } from '../failures/message-error.tsx'
import { Reasoning } from './reasoning.tsx'
import { contextOf } from '../sending/shorter-context.ts'
import { CitedText } from '../sources/cited-text.tsx'
import { citesSource } from '../sources/cites-source.ts'
import { isDocument, readSources } from '../../../ui/sources/read-sources.ts'
import { SourceList } from '../sources/source-list.tsx'
import { leftOutFiles } from '../status/left-out-files.ts'
import { StatusLine } from '../status/status-line.tsx'
import { placeRuns } from '../tools/place-runs.ts'
import { embedsOf, splitAnswer } from '../tools/split-answer.ts'
import { ToolCalls } from '../tools/tool-calls.tsx'
import { UsageLine } from './usage-line.tsx'
import { useArtifacts } from '../artifacts/use-artifacts.ts'
import { useCodeCells } from './use-code-cells.ts'
import { WaitingMark } from './waiting-mark.tsx'
import { lazyPart } from '../../../lib/lazy-part.ts'

const CodeRuns = lazyPart(() => import('./code-runs.tsx'), 'CodeRuns')

/** The model's name above the answer. It is the heading of the message for screen readers. */
function Identity({ message, isWhole }: { message: ChatMessage; isWhole: boolean }) {
  const { model, modelName } = message
  if (!model) return null
  return (
    <div className="mb-2 flex min-h-6 min-w-0 items-center gap-2 text-ui font-medium">
      <ModelMark id={model} className="size-6 rounded-small!" />
      <bdi aria-hidden="true" className="min-w-0 wrap-anywhere">
        {modelName || model}
      </bdi>
      {isWhole && <AnswerOutline text={message.content} />}
    </div>
  )
}

/** Shows that the model did not receive the whole conversation. */
function LeftOut({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { left_out: count } = contextOf(message)
  if (count === undefined) return null
  return <p className="mb-2 text-small text-muted">{t('chat.error.leftOut', { count })}</p>
}

const NONE: readonly unknown[] = []

/**
 * Loaded with the first answer for which code was run; the surrounding text does not wait for it.
 */
const Runs = (props: ComponentProps<typeof CodeRuns>) => (
  <Suspense>
    <CodeRuns {...props} />
  </Suspense>
)

/** Editor for the text of an answer. */
function AnswerEdit({ message }: { message: ChatMessage }) {
  const { editAnswer } = useChatView()
  const close = (): void => {
    chatViewStore.setState({ editingId: null })
    runCommand('composer.focus')
  }
  return (
    <MessageEdit
      isAnswer
      text={message.content}
      files={NONE}
      canSend
      onCancel={close}
      onSend={(text) => {
        close()
        editAnswer(message.id, text)
      }}
    />
  )
}

interface AssistantMessageProps {
  readonly message: ChatMessage
  readonly isLast: boolean
  /** True for one of several answers side by side, shown under its model's name. */
  readonly isColumn?: boolean
}

/** An answer: full width, without a box. */
export function AssistantMessage({ message, isLast, isColumn = false }: AssistantMessageProps) {
  const growing = isGrowing(message)
  const isWhole = !growing && !message.error && message.content !== ''
  const split = useMemo(
    () => (message.content === '' ? [] : splitAnswer(message.content)),
    [message.content],
  )
  const told = Array.isArray(message.code_executions) ? message.code_executions : NONE
  const files = message.files ?? NONE
  const { parts, rest } = useMemo(() => placeRuns(split, told), [split, told])
  const embeds = useMemo(
    () => [...embedsOf(split), ...(message.embeds ?? [])],
    [split, message.embeds],
  )
  const sources = useMemo(() => readSources(message.sources ?? []), [message.sources])
  const cells = useCodeCells(message.id)
  const artifacts = useArtifacts(message.id)
  const isEditing = useStore(chatViewStore, ({ editingId }) => editingId === message.id)
  const leftOut = useChat((state) => leftOutFiles(state.messages[message.parentId ?? '']))
  if (isEditing && !growing) return <AnswerEdit message={message} />
  return (
    <div className="min-w-0">
      {!isColumn && <Identity message={message} isWhole={isWhole} />}
      <LeftOut message={message} />
      <StatusLine message={message} leftOut={leftOut} />
      <Reasoning message={message} />
      <ArtifactsContext value={artifacts}>
        <CodeCellsContext value={cells}>
          {parts.map((part, index) => {
            // oxlint-disable-next-line react/no-array-index-key -- the order of the parts of an answer never changes
            if (part.kind === 'calls')
              return <ToolCalls key={index} calls={part.calls} messageId={message.id} />
            // oxlint-disable-next-line react/no-array-index-key -- the order of the parts of an answer never changes
            if (part.kind === 'runs')
              return <Runs key={index} runs={part.runs} isGrowing={growing} files={files} />
            const isLastPart = index === parts.length - 1
            return (
              // oxlint-disable-next-line react/no-array-index-key -- the order of the parts of an answer never changes
              <CitedText
                key={index}
                text={part.text}
                isGrowing={growing && isLastPart}
                sources={sources}
                messageId={message.id}
              />
            )
          })}
          {rest.length > 0 && <Runs runs={rest} isGrowing={growing} files={files} />}
        </CodeCellsContext>
      </ArtifactsContext>
      <AnswerFiles message={message} />
      {growing && <WaitingMark message={message} />}
      {embeds.length > 0 && <MessageEmbeds embeds={embeds} />}
      <MessageError message={message} isLast={isLast} isColumn={isColumn} />
      {sources.length > 0 && (
        <SourceList
          sources={sources}
          message={message}
          isUnused={
            isWhole && sources.some(isDocument) && !citesSource(message.content, sources.length)
          }
        />
      )}
      {!growing && !message.unsent && (
        <AnswerActions message={message} isLast={isLast} isColumn={isColumn}>
          <UsageLine message={message} />
        </AnswerActions>
      )}
      {isLast && !isColumn && !growing && <FollowUps message={message} />}
    </div>
  )
}
