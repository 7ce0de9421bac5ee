import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import type { ModelFacts } from './differing-facts.ts'
import { RowMenu } from './mark-menu.tsx'
import type { ModelMarks } from './model-marks.ts'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { PlaceBadge } from './place-badge.tsx'
import { formatLocale } from '../../lib/i18n.ts'

/** Writes a number of tokens as models are named after it: 131,072 is 128K. */
function toContext(tokens: number): string {
  const round = tokens % 1024 === 0 ? (tokens / 1024) * 1000 : tokens
  return new Intl.NumberFormat(formatLocale(), {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(round)
}

/** Size, abilities, context size and price of a model, in words. */
function useWords({ abilities, contextLength, price, size }: ModelFacts): string {
  const { t } = useTranslation()
  const money = (amount: number): string =>
    new Intl.NumberFormat(formatLocale(), {
      style: 'currency',
      currency: price?.currency ?? 'USD',
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
    }).format(amount)
  return [
    size && t('models.parameterSize', { size }),
    ...abilities.map((ability) => t(`models.abilities.${ability}`)),
    contextLength !== null && t('models.context', { tokens: toContext(contextLength) }),
    price && t('models.price', { input: money(price.input), output: money(price.output) }),
  ]
    .filter((fact): fact is string => Boolean(fact))
    .join(' · ')
}

interface ModelRowProps {
  readonly model: Model
  readonly isCurrent: boolean
  readonly isDefault: boolean
  /** True if it is the user's own default. */
  readonly isOwnDefault: boolean
  readonly isPinned: boolean
  /** True unless the heading of the group says where all of its models run. */
  readonly hasPlace: boolean
  /** What distinguishes it from the other models. */
  readonly facts: ModelFacts
  readonly marks: ModelMarks | undefined
  /** Called when the menu of the row returns the focus. */
  readonly onMenuClosed: (event: Event) => void
  readonly onSelect: () => void
}

/**
 * A selectable model: its name, and below it one line of what tells it from the others. Rows with
 * and without this line are equally high.
 */
export function ModelRow({
  model,
  isCurrent,
  isDefault,
  isOwnDefault,
  isPinned,
  hasPlace,
  facts,
  marks,
  onMenuClosed,
  onSelect,
}: ModelRowProps) {
  const { t } = useTranslation()
  const words = useWords(facts)
  const otherId = words === '' && model.id !== model.name ? model.id : null
  const description = model.info.meta.description || otherId
  return (
    <Command.Item
      value={model.id}
      onSelect={onSelect}
      title={[words, description].filter(Boolean).join(' · ')}
      className="group/model flex min-h-13 items-center gap-2.5 rounded-small px-2 py-1 data-[selected=true]:bg-hover pointer-coarse:min-h-14"
    >
      <ModelMark id={model.id} className="size-8" />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          {/* By touch no pointer rests on a name to show the rest of it. */}
          <bdi className="min-w-0 truncate font-medium pointer-coarse:wrap-anywhere pointer-coarse:whitespace-normal">
            {model.name}
          </bdi>
          {isDefault && <Badge>{t(isOwnDefault ? 'models.ownDefault' : 'models.default')}</Badge>}
          {hasPlace && <PlaceBadge type={model.connection_type} />}
          {model.unavailable && <Badge tone="warning">{t('models.unavailable')}</Badge>}
        </span>
        {(words !== '' || description) && (
          <span className="flex min-w-0 gap-1 text-small text-muted">
            {words !== '' && (
              <span className="max-w-full shrink-0 truncate tabular-nums">{words}</span>
            )}
            {words !== '' && description && <span>·</span>}
            {/* In an element of its own, so that it is cut at its own end in every direction. */}
            {description && <bdi className="min-w-0 truncate">{description}</bdi>}
          </span>
        )}
      </span>
      {isCurrent && <Check className="size-4 shrink-0 self-center text-accent" />}
      {marks && (
        <RowMenu
          id={model.id}
          name={model.name}
          isPinned={isPinned}
          isDefault={isOwnDefault}
          marks={marks}
          onCloseAutoFocus={onMenuClosed}
        />
      )}
    </Command.Item>
  )
}
