import { foldWord } from '../../lib/text/words.ts'

/** Question words without a subject, by language. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'a about after all also am an and any are as at be because been before being but by can could did do does doing each for from had has have having he her here hers him his how i if in into is it its just me may might more most must my no nor not of off on once only or other our out over own shall she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom whose why will with would you your',
  de: 'aber als am an auch auf aus bei bin bis das dass dein dem den der des die dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch für gegen gibt haben habe hat hatte ich ihm ihn ihr ihre im in ist ja jede jeder kann können man mein mich mir mit muss müssen nach nicht noch nur ob oder ohne sein seine sich sie sind so soll sollen über um und uns unter viel viele vom von vor wann war warum was weil welche welchem welchen welcher welches wenn wer werden wie wieso wird wo woher wohin womit wurde wurden zu zum zur',
  fr: 'à afin ai ainsi alors après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux chaque ci comme comment d dans de des du elle elles en encore est et été être eu fait faut il ils j je jusque l la là le les leur leurs lui m ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par pas peu peut pour pourquoi plus qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t ta tes toi ton tous tout toute toutes très tu un une vos votre vous y',
  es: 'a al algo algunos ante antes aquí así aun cada como cómo con contra cual cuál cuáles cuando cuándo cuánto cuántos de del desde donde dónde dos e el él ella ellos en entre era es esa ese eso esta está este esto estos fue ha hace hacia han hasta hay la las le les lo los más me mi mí mucho muy nada ni no nos nosotros o os otra otro para pero por porque puede pueden pues que qué quien quién se sea según ser si sí sin sobre son su sus también tan tanto te tiene tienen tú tu un una uno unos y ya yo',
  it: 'a ad agli ai al alla alle allo anche ancora che chi ci come con cosa così cui da dagli dai dal dalla dalle degli dei del della delle dello deve di do dopo dove e è ed era essere gli ha hai hanno ho i il in io la le lei li lo loro lui ma mi mia mio molto ne negli nei nel nella nelle no noi non o per perché più può qual quale quali quando quanto quello questa questo se sei si sia sono su sua sugli sul sulla suo te ti tra tu tutti un una uno voi',
  pt: 'a ao aos as até com como da das de dela dele depois do dos e é ela ele eles em entre era essa esse esta está este eu foi há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o onde os ou para pela pelo pode por porque qual quais quando quanto que quê quem são se sem ser seu só sua também te tem um uma você vocês',
  nl: 'aan al als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe hoeveel ik in is ja je kan kunnen maar me meer met mij mijn moet moeten na naar niet nog nu of om onder ons ook op over te tot u uit van veel voor waar waarom wanneer was wat we welk welke werd wie wij worden wordt zal ze zich zij zijn zo',
  ru: 'а без более бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за зачем и из или им их к как какая какие каких какой когда кому который ко кто куда ли мне может можно мой мы на над надо нам нас не него нет ни но о об один он она они оно от по под почему при про с сам себя сколько со так такой там то того тоже только том ты у уже чего чем что чтобы эта эти это этот я',
  uk: 'а або але без би був була були було бути в вам вас ви від все всі вони він вона воно де для до його її їх за з зі і й із як яка яке який які якщо коли кого кому куди ли ми можна може на над нам нас не ні о об от по під при про та так там те ти то того тільки у хто це цей ця чи чого чому що щоб я є',
  pl: 'a aby ale albo bez być był była było były by ci co czy dla do gdy gdzie go i ich ile im ja jak jaka jaki jakie jako je jego jej jest jeśli już kiedy kto która które który ma mnie może można na nad nam nas nie nim o od on ona one oni po pod przed przez przy są się ta tak także tam te tego tej ten to ty tylko w we wszystkie z za ze że',
}

/** Folded like the words of queries. */
const FUNCTION_WORDS = new Set(
  Object.values(WORDS)
    .flatMap((list) => list.split(' '))
    .map(foldWord),
)

/** Returns true if a folded word has no subject. */
export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word)
