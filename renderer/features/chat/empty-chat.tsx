import {
  Braces,
  CalendarDays,
  Cloud,
  HardDrive,
  ListChecks,
  Scale,
  Sparkles,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suggestion } from '#contract/configs.ts'
import { classNames } from '../../lib/class-names.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import type { ChatModel } from './chat-store.ts'

const SUGGESTIONS = [
  { key: 'summary', icon: <ListChecks /> },
  { key: 'code', icon: <Braces /> },
  { key: 'plan', icon: <CalendarDays /> },
  { key: 'decide', icon: <Scale /> },
] as const

const MOST_SUGGESTIONS = 6

type Daytime = 'morning' | 'afternoon' | 'evening'

const daytimeOf = (hour: number): Daytime =>
  hour >= 4 && hour < 12 ? 'morning' : hour >= 12 && hour < 18 ? 'afternoon' : 'evening'

/**
 * Greeting above an empty composer, whose button names the model. One that introduces itself, such
 * as an assistant of the workspace, shows its picture too.
 */
export function Greeting({ name, model }: { name: string; model: ChatModel | null }) {
  const { t } = useTranslation()
  const [daytime] = useState(() => daytimeOf(new Date().getHours()))
  const first = name.trim().split(/\s+/, 1)[0]
  return (
    <div className="flex flex-1 flex-col items-center justify-end gap-1 px-4 pt-10 pb-7 text-center">
      {model?.description && <ModelMark id={model.id} className="mb-3 size-12 rounded-large!" />}
      <h1 className="text-head-3 font-semibold tracking-tight text-balance">
        {first ? t(`chat.empty.${daytime}Name`, { name: first }) : t(`chat.empty.${daytime}`)}
      </h1>
      <p className="max-w-(--column) text-message text-balance text-muted">
        {model?.description ? <bdi>{model.description}</bdi> : t('chat.empty.lead')}
      </p>
    </div>
  )
}

/** A remote window is not on the gateway's computer, where local models run. */
function placeOf({ isLocal }: ChatModel) {
  if (!isLocal) return 'chat.empty.leaves'
  return isAtGateway() ? 'chat.empty.staysHere' : 'chat.empty.staysAtGateway'
}

/**
 * Shows where messages are sent, or that the model was unreachable at the last check; without a
 * model, the next setup step.
 */
function ModelState({ model, hint }: { model: ChatModel | null; hint: ReactNode }) {
  const { t } = useTranslation()
  if (!model || model.isGuide) {
    return (
      <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-center text-ui text-muted">
        {t(model ? 'chat.empty.guide' : hint ? 'chat.empty.noModel' : 'chat.empty.noModelForYou')}
        {hint}
      </div>
    )
  }
  const Icon = model.isUnavailable ? TriangleAlert : model.isLocal ? HardDrive : Cloud
  return (
    <p className="flex items-center justify-center gap-2 text-center text-small text-muted">
      <Icon
        aria-hidden="true"
        className={classNames('size-3.5 shrink-0', model.isUnavailable && 'text-warning')}
      />
      <span>{t(model.isUnavailable ? 'chat.empty.notReady' : placeOf(model))}</span>
    </p>
  )
}

interface SuggestionsProps {
  readonly model: ChatModel | null
  /** Link to set up a first model. */
  readonly hint: ReactNode
  /** Suggestions chosen by an administrator; without any, the built-in ones are shown. */
  readonly suggestions?: readonly Suggestion[]
  readonly onChoose: (text: string) => void
}

/** Content below an empty composer: the model's state and a few conversation starters. */
export function Suggestions({ model, hint, suggestions = [], onChoose }: SuggestionsProps) {
  const { t } = useTranslation()
  const own = SUGGESTIONS.map(({ key, icon }) => ({
    key: String(key),
    icon,
    title: t(`chat.suggestion.${key}.title`),
    more: '',
    text: t(`chat.suggestion.${key}.text`),
  }))
  const chosen = suggestions
    .slice(0, MOST_SUGGESTIONS)
    .map(({ title: [title = '', more = ''], content }) => ({
      key: content,
      icon: <Sparkles />,
      title: title || more || content,
      more: title ? more : '',
      text: content,
    }))
  return (
    <div className="mx-auto flex w-full max-w-[calc(var(--column)+3rem)] flex-[1.35] flex-col items-center gap-6 px-4 pt-1 pb-8 sm:px-6">
      <ModelState model={model} hint={hint} />
      <ul aria-label={t('chat.empty.suggestions')} className="flex flex-wrap justify-center gap-2">
        {(chosen.length > 0 ? chosen : own).map(({ key, icon, title, more, text }) => (
          <li key={key}>
            <button
              type="button"
              className="flex min-h-9 max-w-full items-center gap-2 rounded-full border border-line bg-raised px-3.5 text-ui text-ink transition-colors duration-(--motion-in) hover:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:text-muted"
              onClick={() => onChoose(text)}
            >
              {icon}
              <bdi className="truncate">{title}</bdi>
              {more && <bdi className="truncate text-muted max-sm:hidden">{more}</bdi>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
