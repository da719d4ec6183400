import{Ia as a}from"./part-H5O5MUF5.js";import"./part-NHHRIDME.js";import"./part-JLMJS6XB.js";import"./part-AYHZPDM5.js";export{a as Client};
