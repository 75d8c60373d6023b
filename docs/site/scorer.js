/* How the search of the site ranks pages (`html_search_scorer`): guides first, then titles, names of the API last. */
"use strict";

const GUIDES = /^docs\/(start|environments|agents|training|measuring|project)\//;
const GENERATED = /_(encoding|rules)$/;

// Sphinx declares it by `var`, too.
var Scorer = {
    score: ([docname, , , , score, , kind]) =>
        score +
        (GUIDES.test(docname) && !GENERATED.test(docname) ? 60 : 0) +
        (kind === "title" ? 40 : 0) -
        (kind === "object" ? 20 : 0),
    // The rest is Sphinx's own.
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
};
