import { ImagePlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { ChoiceFields } from '../../ui/pictures/choice-fields.tsx'
import { JobList } from '../../ui/pictures/job-line.tsx'
import { pictureChoice } from '../../ui/pictures/picture-choice.ts'
import { makePictures, useJobs } from '../../ui/pictures/picture-jobs.ts'
import { TextArea } from '../../ui/text-field.tsx'

/** Describes a picture and has it made, beside any chat. */
export function MakeForm() {
  const { t } = useTranslation()
  const [prompt, setPrompt] = useState('')
  const jobs = useJobs(null)
  const isEmpty = prompt.trim() === ''
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isEmpty)
      void makePictures({ kind: 'make', prompt: prompt.trim(), ...pictureChoice(), place: null })
  }
  return (
    <form
      onSubmit={handleSubmit}
      className="flex flex-col gap-3 rounded-large border border-line bg-raised p-4"
    >
      <TextArea
        label={t('pictures.gallery.prompt')}
        placeholder={t('pictures.gallery.promptPlaceholder')}
        rows={2}
        dir="auto"
        maxLength={100_000}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing)
            handleSubmit(event)
        }}
      />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72 sm:max-w-md">
          <ChoiceFields isInRow />
        </div>
        <Button
          type="submit"
          tone="primary"
          icon={<ImagePlus aria-hidden="true" className="size-4" />}
          disabled={isEmpty}
        >
          {t('pictures.gallery.make')}
        </Button>
      </div>
      <JobList jobs={jobs} />
    </form>
  )
}
