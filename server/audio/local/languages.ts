/** Languages that Whisper models support, by their tags. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy ' +
    'sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo ' +
    'uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
)

/** Returns the model's tag for a language such as `de-AT`; null if it has none. */
export function toModelLanguage(language: string): string | null {
  const word = language.split('-')[0]!.toLowerCase()
  return KNOWN.has(word) ? word : null
}
