import { Command } from 'cmdk'
import { Check, Eye, Globe, Image, type LucideIcon, Pin, SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import type { Ability } from './abilities.ts'
import type { ModelFacts } from './differing-facts.ts'
import { RowMenu } from './mark-menu.tsx'
import type { ModelMarks } from './model-marks.ts'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { PlaceBadge } from './place-badge.tsx'
import { formatLocale } from '../../lib/i18n.ts'

const ICONS: Readonly<Record<Ability, LucideIcon>> = {
  vision: Eye,
  web_search: Globe,
  image_generation: Image,
  code_interpreter: SquareTerminal,
}

/** Abilities as small icons, which are named for screen readers and under the pointer. */
function Abilities({ abilities }: { abilities: readonly Ability[] }) {
  const { t } = useTranslation()
  if (abilities.length === 0) return null
  return (
    <span className="inline-flex items-center gap-1.5 text-muted">
      {abilities.map((ability) => {
        const Icon = ICONS[ability]
        return (
          <span key={ability} title={t(`models.abilities.${ability}`)}>
            <Icon className="size-3.5" />
            <span className="sr-only">{t(`models.abilities.${ability}`)}</span>
          </span>
        )
      })}
    </span>
  )
}

/** Context size and price of a model, in words. */
function useWords({ contextLength, price }: ModelFacts): string {
  const { t } = useTranslation()
  const money = (amount: number): string =>
    new Intl.NumberFormat(formatLocale(), {
      style: 'currency',
      currency: price?.currency ?? 'USD',
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
    }).format(amount)
  return [
    contextLength !== null &&
      t('models.context', {
        tokens: new Intl.NumberFormat(formatLocale(), { notation: 'compact' }).format(
          contextLength,
        ),
      }),
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

/** A selectable model: name, place, abilities, context size and price. */
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
  const { description } = model.info.meta
  return (
    <Command.Item
      value={model.id}
      onSelect={onSelect}
      className="group/model flex items-center gap-2.5 rounded-small px-2 py-2 data-[selected=true]:bg-hover pointer-coarse:min-h-11"
    >
      <ModelMark id={model.id} className="size-8" />
      <span className="min-w-0 flex-1">
        <span className="flex min-h-4 flex-wrap items-center gap-x-2 gap-y-0.5">
          <bdi className="max-w-full font-medium wrap-anywhere">{model.name}</bdi>
          <Abilities abilities={facts.abilities} />
          {isDefault && <Badge>{t(isOwnDefault ? 'models.ownDefault' : 'models.default')}</Badge>}
          {isPinned && <Badge icon={<Pin />}>{t('models.pinned')}</Badge>}
          {model.unavailable && <Badge tone="warning">{t('models.unavailable')}</Badge>}
        </span>
        {description && (
          <bdi className="mt-0.5 line-clamp-2 text-small text-muted">{description}</bdi>
        )}
        {(hasPlace || words !== '') && (
          <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
            {hasPlace && <PlaceBadge type={model.connection_type} />}
            {words !== '' && <span className="tabular-nums">{words}</span>}
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
