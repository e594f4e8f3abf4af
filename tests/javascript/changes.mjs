// The small wrong changes of a script, one at a time: which part of its text goes, and what stands there instead.
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript");
const { SyntaxKind: Kind } = ts;
const OPERATORS = new Map(
  Object.entries({
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "===": "!==",
    "!==": "===",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "*",
    "+=": "-=",
    "-=": "+=",
    "++": "--",
    "--": "++",
  }),
);
const CHAINS = new Set(["&&", "||", "??"]);
const METHODS = new Map(
  Object.entries({
    min: "max",
    max: "min",
    floor: "ceil",
    ceil: "floor",
    round: "floor",
    some: "every",
    every: "some",
  }),
);
const BY_ONE = 2000; // larger numbers are doubled: a millisecond more is no defect

/** The modules that a script imports, at once or later, as they are written there. */
export const importsOf = (text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

const isPropertyName = (node) =>
  [Kind.PropertyAssignment, Kind.MethodDeclaration].includes(node.parent.kind) && node.parent.name === node;
// What a developer reads, or the name of a module.
const isUnseen = (node) =>
  (ts.isCallExpression(node.parent) && node.parent.expression.kind === Kind.ImportKeyword) ||
  (ts.isNewExpression(node.parent) && node.parent.expression.getText().endsWith("Error"));

/** Every change of this text, in its order: `{ start, end, put, line, was }`. */
export function changesOf(text) {
  const source = ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const changes = [];
  const replace = (start, end, put) =>
    changes.push({ start, end, put, was: text.slice(start, end), line: text.slice(0, start).split("\n").length });
  const put = (node, words) => replace(node.getStart(), node.getEnd(), words);

  function changeOperator(node) {
    const token = node.operatorToken;
    const operator = token.getText();
    if (OPERATORS.has(operator)) put(token, OPERATORS.get(operator));
    if (!CHAINS.has(operator)) return;
    const isFirst = !ts.isBinaryExpression(node.left) || node.left.operatorToken.kind !== token.kind;
    if (isFirst) replace(node.getStart(), node.right.getStart(), "");
    replace(node.left.getEnd(), node.getEnd(), "");
  }

  function changeText(node) {
    if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) return;
    if (isPropertyName(node) || isUnseen(node)) return;
    put(node, node.getText().length > 2 ? '""' : '"other"');
  }

  function negate(condition) {
    const operator = ts.isBinaryExpression(condition) && condition.operatorToken.getText();
    if (!ts.isPrefixUnaryExpression(condition) && !["===", "!=="].includes(operator))
      put(condition, `!(${condition.getText()})`);
  }

  function change(node) {
    const { kind } = node;
    if (kind === Kind.BinaryExpression) changeOperator(node);
    else if (ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
      changeText(node);
    else if (ts.isNumericLiteral(node)) {
      const number = Number(node.getText().replaceAll("_", ""));
      put(node, String(Number.isInteger(number) && number < BY_ONE ? number + 1 : number * 2));
    } else if (kind === Kind.RegularExpressionLiteral) put(node, "/(?!)/");
    else if (kind === Kind.TrueKeyword) put(node, "false");
    else if (kind === Kind.FalseKeyword) put(node, "true");
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const operator = ts.tokenToString(node.operator);
      if (OPERATORS.has(operator) && operator.length > 1)
        put(node, node.getText().replace(operator, OPERATORS.get(operator)));
      else if (operator === "!" || operator === "-") put(node, node.operand.getText());
    } else if (kind === Kind.ExpressionStatement) put(node, ";");
    else if (kind === Kind.BreakStatement || kind === Kind.ContinueStatement) put(node, ";");
    else if (kind === Kind.ReturnStatement && !node.expression) put(node, ";");
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression);
    else if (ts.isConditionalExpression(node)) negate(node.condition);
    if (node.questionDotToken) put(node.questionDotToken, ts.isPropertyAccessExpression(node) ? "." : "");
    if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && METHODS.has(node.name.text))
      put(node.name, METHODS.get(node.name.text));
    ts.forEachChild(node, change);
  }

  change(source);
  return changes;
}
