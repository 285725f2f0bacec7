// Written by scripts/write-config-parser.ts from configuration.grammar. Do not edit.
import {LRParser} from "@lezer/lr"
import {ends, texts, names, words} from "./tokens.ts"
export const parser = LRParser.deserialize({
  version: 14,
  states: "$UQYQfOOOOQZ'#Cw'#CwO!PQgO'#ClO!uQkO'#CiOOQV'#Cv'#CvOOQU'#Co'#CoOOQU'#Cp'#CpQYQfOOOOQV'#Cr'#CrO#PQgO,59WOOQV,59W,59WOOQZ'#Cy'#CyO#ZQjO'#CjOOQZ'#Cj'#CjOOQZ'#Cx'#CxOOQZ'#Cq'#CqO#lQkO,59TOOQV,59T,59TOOQU-E6n-E6nOOQV-E6p-E6pOOQV1G.r1G.rOOQZ,59U,59UOOQZ-E6o-E6oOOQV1G.o1G.o",
  stateData: "#v~OiOSZOS~ORPOSPOTRO_SOaQObTO~ORPOSPOTRO_SOaQO~OQYObYO~PnORPOSPOUZOVZOWZOX[OY]OaQO~OPaO_aO~P!ZOQdObdO~PnORPOSPOUZOVZOWZO~OPgO_gO~P!ZO",
  goto: "#]nPPPPPPPPPPPPPouPyPP!V!Z!a!gPPP!m!u#Q#UXSOQVXT^R`WSOQVXQaRRg`TUOVQVORbVQ`RRf`QXQRcXSUOVTWQXWROQVXVZR[`T_R`S^R`Re[",
  nodeNames: "⚠ MissingEnd MissingClose Text UnclosedText Name Word Number Url OptionKey EmptyOptionKey Comment Configuration Directive Option ; Block { } StrayClose",
  maxTerm: 29,
  skippedNodes: [0,11],
  repeatNodeCount: 3,
  tokenData: "#T~RYX^qpqqst!Y!]!^!t#o#p!y#q#r#O$f$gq$I|$I}q$I}$JOq?HT?HUq~vUi~X^qpqq$f$gq$I|$I}q$I}$JOq?HT?HUq~!_TZ~OY!YZ]!Y^;'S!Y;'S;=`!n<%lO!Y~!qP;=`<%l!Y~!yO_~~#OOa~~#TOb~",
  tokenizers: [ends, texts, names, words, 0],
  topRules: {"Configuration":[0,12]},
  tokenPrec: 0
})
