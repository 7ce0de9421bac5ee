import { Pin, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { abilitiesOf } from './abilities.tsx'

function Entry({ icon, keys, children }: { icon: ReactNode; keys?: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
      {icon}
      <span>{children}</span>
      {keys && (
        <span className="contents pointer-coarse:hidden">
          <Kbd accelerator={keys} />
        </span>
      )}
    </span>
  )
}

interface PickerLegendProps {
  readonly models: readonly Model[]
  /** True if the user may mark models. */
  readonly hasMarks: boolean
}

/**
 * Names the signs of the listed models. Screen readers have these names in each row, and the keys
 * in the description of the search field.
 */
export function PickerLegend({ models, hasMarks }: PickerLegendProps) {
  const { t } = useTranslation()
  const abilities = abilitiesOf(models)
  if (models.length === 0 || (abilities.length === 0 && !hasMarks)) return null
  return (
    <div
      aria-hidden="true"
      className="flex shrink-0 flex-wrap gap-x-3 gap-y-0.5 border-t border-line px-3 py-1.5 text-small text-muted"
    >
      {abilities.map(({ name, icon }) => (
        <Entry key={name} icon={icon}>
          {t(`models.capabilities.${name}`)}
        </Entry>
      ))}
      {hasMarks && (
        <>
          <Entry icon={<SquarePen />} keys="Alt+D">
            {t('models.setDefault')}
          </Entry>
          <Entry icon={<Pin />} keys="Alt+P">
            {t('models.pinForMe')}
          </Entry>
        </>
      )}
    </div>
  )
}
