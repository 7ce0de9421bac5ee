import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'

const CHOICES = ['everybody', 'granted'] as const

interface AccessChoiceProps {
  readonly value: Connection['access']
  readonly onChange: (value: Connection['access']) => void
}

/** Who may use the models of a connection. */
export function AccessChoice({ value, onChange }: AccessChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-ui font-medium">{t('connections.access.legend')}</legend>
      <div className="overflow-hidden rounded-medium border border-line">
        {CHOICES.map((choice) => (
          <label
            key={choice}
            htmlFor={`${id}-${choice}`}
            className="flex items-start gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft/50"
          >
            <input
              id={`${id}-${choice}`}
              aria-labelledby={`${id}-${choice}-name`}
              aria-describedby={`${id}-${choice}-hint`}
              type="radio"
              name={id}
              checked={choice === value}
              onChange={() => onChange(choice)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span id={`${id}-${choice}-name`} className="block font-medium">
                {t(`connections.access.${choice}`)}
              </span>
              <span id={`${id}-${choice}-hint`} className="block text-small text-pretty text-muted">
                {t(`connections.access.${choice}Hint`)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
