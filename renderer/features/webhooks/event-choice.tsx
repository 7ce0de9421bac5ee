import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { choose, groupEvents, isResource, type EventGroup } from './event-filters.ts'

interface ChoiceProps {
  readonly catalogue: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

function Group({
  group: { resource, events },
  chosen,
  onChange,
}: Omit<ChoiceProps, 'catalogue'> & { group: EventGroup }) {
  const { t } = useTranslation()
  const count = events.filter((event) => chosen.has(event)).length
  const name = isResource(resource) ? t(`webhooks.resources.${resource}`) : resource
  return (
    <li className="flex items-start gap-2 px-3 py-1">
      <Checkbox
        label={t('webhooks.allOf', { name })}
        checked={count === events.length}
        mixed={count > 0}
        onChange={(isWanted) => onChange(choose(chosen, events, isWanted))}
        className="mt-1 pointer-coarse:mt-0"
      />
      <div className="min-w-0 flex-1">
        <FoldOut title={t('webhooks.resourceCount', { name, count, total: events.length })}>
          <ul className="pb-1">
            {events.map((event) => (
              <li key={event}>
                <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
                  <Checkbox
                    checked={chosen.has(event)}
                    onChange={(isWanted) => onChange(choose(chosen, [event], isWanted))}
                  />
                  <code className="min-w-0 text-small wrap-anywhere">{event}</code>
                </label>
              </li>
            ))}
          </ul>
        </FoldOut>
      </div>
    </li>
  )
}

/** Selects the events sent to a URL, by resource. */
export function EventChoice({ catalogue, chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  const groups = useMemo(() => groupEvents(catalogue), [catalogue])
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium">{t('webhooks.chosenEvents')}</legend>
      <ul className="divide-y divide-line rounded-medium border border-line">
        {groups.map((group) => (
          <Group key={group.resource} group={group} chosen={chosen} onChange={onChange} />
        ))}
      </ul>
    </fieldset>
  )
}
