import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { RadioList } from '../../ui/controls/radio.tsx'

const CHOICES = ['everybody', 'granted'] as const

interface AccessChoiceProps {
  readonly value: Connection['access']
  readonly onChange: (value: Connection['access']) => void
}

/** Selects who may use the models of a connection. */
export function AccessChoice({ value, onChange }: AccessChoiceProps) {
  const { t } = useTranslation()
  return (
    <RadioList
      legend={t('connections.access.legend')}
      isLegendShown
      options={CHOICES.map((choice) => ({
        value: choice,
        label: t(`connections.access.${choice}`),
        hint: t(`connections.access.${choice}Hint`),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
