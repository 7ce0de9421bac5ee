import '../../../ui/pictures/strings.ts'
import { Image, SlidersHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Popover } from '../../../ui/floating/popover.tsx'
import { ChoiceFields, toTimes } from '../../../ui/pictures/choice-fields.tsx'
import { usePictureChoice } from '../../../ui/pictures/picture-choice.ts'
import type { ChatPictureRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { PICTURES } from '../tools/chosen-tools.ts'
import { FeatureSwitch, MissingFeature, useFeature } from '../tools/feature-switch.tsx'

interface PicturesSwitchProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: ChatPictureRights
}

const LOOK = { icon: <Image />, texts: 'pictures.switch' } as const

/** Enables pictures for the next answers; states what is missing while that is unavailable. */
export function PicturesSwitch({ store, model, rights }: PicturesSwitchProps) {
  const { t } = useTranslation()
  const isOn = useFeature(store, model, PICTURES)
  if (!rights.isOffered || model?.makesPictures === false) return null
  if (!rights.mayMake)
    return <MissingFeature {...LOOK} text={t('pictures.switch.setUp')} page="pictures" />
  const toggle = <FeatureSwitch {...LOOK} store={store} model={model} feature={PICTURES} />
  if (!isOn) return toggle
  return (
    <span className="inline-flex items-center in-data-folded:flex">
      {toggle}
      <Options />
    </span>
  )
}

/** Size, number and seed of the pictures of the next answers. */
function Options() {
  const { t } = useTranslation()
  const { size, count, seed } = usePictureChoice()
  const words = [size && toTimes(size), count > 1 && count].filter(Boolean).join(', ')
  return (
    <Popover
      isSheet
      side="top"
      label={t('pictures.switch.options')}
      className="w-72 p-3.5"
      trigger={
        <button
          type="button"
          aria-label={t('pictures.switch.choose', {
            size: size === '' ? t('pictures.choice.auto') : toTimes(size),
            number: count,
            seed: seed ?? t('pictures.choice.anySeed'),
          })}
          className="inline-flex h-8 items-center justify-center gap-1.5 rounded-full px-2.5 text-ui text-accent-strong hover:bg-hover dark:text-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          <SlidersHorizontal className="size-3.5" />
          {words !== '' && <span className="tabular-nums max-sm:hidden">{words}</span>}
        </button>
      }
    >
      <h2 className="mb-3 font-semibold">{t('pictures.switch.options')}</h2>
      <ChoiceFields />
      <p className="mt-3 text-small text-pretty text-muted">{t('pictures.switch.optionsHint')}</p>
    </Popover>
  )
}
