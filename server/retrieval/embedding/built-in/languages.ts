/** Languages of the lexicon, in the order of its columns. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ru', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Words without a subject, including question words; folded. Also used to distinguish the languages
 * of Latin script.
 */
const FUNCTION_WORDS: Record<Exclude<Language, 'zh'>, string> = {
  en: `a an the and or but if then than that this these those there here it its he she they them their his her we us our you your i me my mine be is are was were been being am
    do does did done doing have has had having will would shall should can could may might must not no nor so as at by for from in into of off on onto out over to under up with
    without within about after before between through during per via what which who whom whose when where why how much many any some each every all both such only own same too
    very just also still yet ever never always often again once more most less least other another one ones us let lets get gets got while because until unless since else
    someone something anyone anything everyone everything nobody nothing s t ll re ve d m`,
  de: `der die das den dem des ein eine einer eines einem einen kein keine keiner keinen keinem und oder aber wenn dann als dass daß dies diese dieser dieses diesen diesem jene jener es er sie ihm
    ihn ihr ihre ihrer ihrem ihren ihres sein seine seiner seinem seinen seines wir uns unser unsere euch euer du dich dir ich mich mir mein meine man sich sei sind ist war waren wird werden wurde wurden
    worden bin bist hat haben habe hatte hatten kann konnen konnte darf durfen soll sollen sollte muss mussen musste mag mochte will wollen nicht nur noch schon auch so wie was wer wen wem wessen
    wann wo wohin woher warum wieso weshalb womit wofur woran welche welcher welches welchen welchem an am auf aus bei beim bis durch fur gegen im in ins mit nach ohne seit uber um unter vom von vor
    wahrend wegen zu zum zur zwischen ab pro je jede jeder jedes jeden jedem alle aller allen alles viel viele wieviel mehr meisten sehr immer nie oft wieder dort hier da dabei dafur damit danach
    daran darauf daruber etwas jemand nichts niemand sowie sonst bereits etwa ob weil denn doch zwar`,
  fr: `le la les l un une des du de d et ou mais si alors que qu qui quoi dont ou ce cet cette ces c ca cela il elle ils elles on nous vous je j me m mon ma mes tu te t toi ton ta tes se s son sa ses
    notre nos votre vos leur leurs lui y en ne n pas plus moins aussi tres etre est sont etait etaient ete sera seront suis es sommes etes soit avoir a ai as avons avez ont avait avaient aura auront
    faire fait font faut peut peuvent pourrait doit doivent dois puis-je puis peux veut veulent au aux avec sans sous sur par pour dans chez entre vers depuis pendant avant apres jusqu jusque comme quel
    quelle quels quelles quand comment pourquoi combien tout toute tous toutes chaque aucun aucune autre autres meme memes deja encore toujours jamais souvent rien quelque quelques lorsque lors afin donc car`,
  es: `el la los las lo un una unos unas de del al y e o u pero si no que quien quienes cual cuales cuyo cuya este esta estos estas ese esa esos esas esto eso aquel aquella el ella ellos ellas
    usted ustedes yo me mi mis tu tus te ti se su sus nos nosotros nuestro nuestra le les ser es son era eran fue fueron sido sera seran soy estar esta estan estaba estoy haber ha han he hay habia
    tener tiene tienen tengo tenia puede pueden puedo podria debe deben debo hacer hace hacen hago a ante bajo con contra desde durante en entre hacia hasta para por segun sin sobre tras como cuando
    donde adonde cuanto cuanta cuantos cuantas mas menos muy tambien tampoco ya aun todavia siempre nunca solo cada todo toda todos todas otro otra otros otras mismo misma algo alguien nada nadie alguno
    alguna algunos algunas ningun ninguna porque pues aunque mientras`,
  ru: `и или но а если то что чтобы как так же ли бы не ни да нет это этот эта эти этого этой этому этом этих тот та те того той том тех он она оно они его ее их ему ей им ими нем ней них я мы
    вы ты меня мне нас нам вас вам тебя тебе мой моя мое мои наш наша наше наши ваш ваша ваше ваши свой своя свое свои своего своей своих себя себе быть есть был была было были будет будут в во на
    с со к ко у о об от до для из за по при под над между через без после перед про около кто кого кому чей где куда откуда когда почему зачем сколько какой какая какое какие каких какую каком какого
    каким который которая которое которые которого которой которых весь вся все всех всего всем всю каждый каждая каждое каждую каждого можно нужно надо должен должна должны может могут еще уже только
    очень более менее больше меньше также тоже там тут здесь потом затем ничего никто никогда всегда другой другая другие один одна одно лишь`,
}

/** Chinese characters (and Japanese kana) that serve grammar more than meaning. */
const GRAMMAR_CHARACTERS = new Set(
  '的了是在和与或及也就都而但吗呢吧啊么之其此这那哪个们你我他她它您自己不没很最更被把给让从到对向于以为因所如果可能会应该要需须得着过地又再还只上下中内外后前时几多少什怎样谁请并且则若将由每各等のはをがにでともやへかなだすまるたてれらいうくしさっりこそあ',
)

const words = Object.fromEntries(
  Object.entries(FUNCTION_WORDS).map(([language, text]) => [language, new Set(text.split(/\s+/u))]),
) as Record<keyof typeof FUNCTION_WORDS, Set<string>>

const functionWords = new Set(Object.values(words).flatMap((set) => [...set]))

/**
 * Returns true if a folded word only serves grammar, in the text's language or, if that is unknown,
 * in any.
 */
export function isFunctionWord(word: string, language: Language | null): boolean {
  if (language === 'zh') return functionWords.has(word)
  return language ? words[language].has(word) : functionWords.has(word)
}

export const isGrammarCharacter = (character: string): boolean => GRAMMAR_CHARACTERS.has(character)

/** Returns the language of most of the function words; null if there is no evidence. */
export function guessLanguage(folded: readonly string[], text: string): Language | null {
  if (/[\u4e00-\u9fff]/u.test(text) && !/[\u3040-\u30ff]/u.test(text)) {
    const han = text.match(/[\u4e00-\u9fff]/gu)?.length ?? 0
    if (han * 3 > text.length) return 'zh'
  }
  const cyrillic = text.match(/[\u0400-\u04ff]/gu)?.length ?? 0
  if (cyrillic * 3 > text.length) return 'ru'
  let best: Language | null = null
  let most = 0
  for (const language of ['en', 'de', 'fr', 'es'] as const) {
    const found = folded.filter((word) => words[language].has(word)).length
    if (found > most) [best, most] = [language, found]
  }
  return best
}
