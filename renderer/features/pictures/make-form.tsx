import { ImagePlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { registerCommand } from '../../lib/commands.ts'
import { ChoiceFields } from '../../ui/pictures/choice-fields.tsx'
import { JobList } from '../../ui/pictures/job-line.tsx'
import { pictureChoice } from '../../ui/pictures/picture-choice.ts'
import { makePictures, useJobs } from '../../ui/pictures/picture-jobs.ts'
import { PromptForm } from '../../ui/pictures/prompt-form.tsx'

const make = (prompt: string): void =>
  void makePictures({ kind: 'make', prompt, ...pictureChoice(), place: null })

/** Form that generates a picture outside any chat. */
export function MakeForm() {
  const { t } = useTranslation()
  const form = useRef<HTMLDivElement>(null)
  useEffect(
    () => registerCommand('picture.make', () => form.current?.querySelector('textarea')?.focus()),
    [],
  )
  const jobs = useJobs(null)
  return (
    <div ref={form} className="flex flex-col gap-3 rounded-large border border-line bg-raised p-4">
      <PromptForm
        label={t('pictures.gallery.prompt')}
        placeholder={t('pictures.gallery.promptPlaceholder')}
        makeLabel={t('pictures.gallery.make')}
        makeIcon={<ImagePlus className="size-4" />}
        isFocused={location.hash === '#make'}
        beside={
          <div className="me-auto min-w-0 flex-1 basis-72 sm:max-w-md">
            <ChoiceFields isInRow />
          </div>
        }
        onMake={make}
      />
      <JobList jobs={jobs} />
    </div>
  )
}
