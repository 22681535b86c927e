BEGIN TRANSACTION;
CREATE TABLE chain (
    n INTEGER PRIMARY KEY, at INTEGER NOT NULL, match TEXT NOT NULL, over TEXT, hash TEXT NOT NULL
);
INSERT INTO "chain" VALUES(1,1763900000,'afa11f73c6cf54657425202760b25fe235749416eb4ff1263e04ade29683cefc',NULL,'2e77c2bd0bccd300351203765bf0bb5979fc56d4a64f11feb813b5d5f884a6a4');
CREATE TABLE contest (name TEXT PRIMARY KEY, plan TEXT NOT NULL, stopped INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE daily (
    day TEXT, board TEXT, key TEXT, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, room TEXT NOT NULL,
    ms INTEGER, points INTEGER, PRIMARY KEY (day, board, key)
) WITHOUT ROWID;
INSERT INTO "daily" VALUES('2026-11-22','expert','anna','06817dc4b9354ab6','anna','human','DAY1DAY1',52000,NULL);
INSERT INTO "daily" VALUES('2026-11-22','expert','bert','ce90a380be79d1b9','bert','bot','DAY2DAY2',NULL,NULL);
INSERT INTO "daily" VALUES('2026-11-23','uno','anna','06817dc4b9354ab6','anna','human','DAY3DAY3',NULL,87);
CREATE TABLE identity (
    who TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token TEXT, previous TEXT, key TEXT,
    banned INTEGER NOT NULL, muted INTEGER NOT NULL, house INTEGER NOT NULL
, saved INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "identity" VALUES('06817dc4b9354ab6','anna','human','3ee21e0f34455f7c510771ac74e9ffef4a5b0607197b88e02bf49b370d0f94d9',NULL,'b0ae2dead9d669187f368ab4962de83cc1c7051b1f2b7f3976d7c76258c97f3a',0,0,0,1795385366);
INSERT INTO "identity" VALUES('ce90a380be79d1b9','bert','bot','cf6d276e5eed2c36b0c5669dbaf5e1b74b64ec6a3f653b2a87ab248fe5fa4cdf',NULL,NULL,0,0,0,1795385366);
CREATE TABLE match (
    digest TEXT PRIMARY KEY, room TEXT NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    rated INTEGER NOT NULL, ended INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "match" VALUES('9526f1a754287064b71fc42ab6d8005b42aee49af6df71677bd5dbe22c945667','FVVJ','uno',4,22,1,1795253731);
CREATE TABLE missed (who TEXT, digest TEXT, PRIMARY KEY (who, digest)) WITHOUT ROWID;
INSERT INTO "missed" VALUES('06817dc4b9354ab6','ab0c');
CREATE TABLE notified (who TEXT, room TEXT, turn TEXT NOT NULL, PRIMARY KEY (who, room)) WITHOUT ROWID
;
INSERT INTO "notified" VALUES('06817dc4b9354ab6','FVVJ','0/1');
CREATE TABLE pairing (
    contest TEXT, number INTEGER, room TEXT NOT NULL, result TEXT, PRIMARY KEY (contest, number)
) WITHOUT ROWID;
CREATE TABLE preset (
    game TEXT, key TEXT, name TEXT NOT NULL, who TEXT NOT NULL, by TEXT NOT NULL, rules TEXT NOT NULL,
    PRIMARY KEY (game, key)
) WITHOUT ROWID
;
INSERT INTO "preset" VALUES('uno','friday','Friday','06817dc4b9354ab6','anna','{"clock":null,"options":{"target":200},"seats":3}');
CREATE TABLE profile (
    key TEXT, game TEXT, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tally TEXT NOT NULL,
    PRIMARY KEY (key, game)
) WITHOUT ROWID;
INSERT INTO "profile" VALUES('anna','uno','06817dc4b9354ab6','anna','human','{"matches":1,"wins":1,"streak":1,"longest":1,"times":{},"last":[{"at":1795253731,"rank":1,"players":2,"score":49}]}');
INSERT INTO "profile" VALUES('bert','uno','ce90a380be79d1b9','bert','bot','{"matches":1,"wins":0,"streak":0,"longest":0,"times":{},"last":[{"at":1795253731,"rank":2,"players":2,"score":0}]}');
CREATE TABLE rating (
    who TEXT, game TEXT, name TEXT NOT NULL, kind TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    shown INTEGER NOT NULL, PRIMARY KEY (who, game)
) WITHOUT ROWID;
INSERT INTO "rating" VALUES('06817dc4b9354ab6','uno','anna','human',2.76353894931404973087e+01,8.06590141354368,1583);
INSERT INTO "rating" VALUES('ce90a380be79d1b9','uno','bert','bot',2.23646105068595026912e+01,8.06590141354368,1456);
CREATE TABLE recent (room TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL);
CREATE TABLE record (room TEXT, n INTEGER, line TEXT NOT NULL, PRIMARY KEY (room, n)) WITHOUT ROWID;
INSERT INTO "record" VALUES('FVVJ',0,'{"at":0,"code":"FVVJ","game":"uno","hints":true,"kept":false,"kinds":"any","master":"3b0f84e26f743df06a606598c1d874cb8b5d6d4f2e29fb211219967968f9903f","n":0,"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"pairing":0,"private":false,"r":"opened","seats":2,"standin":false,"start":"host","version":1,"watch":true}');
INSERT INTO "record" VALUES('FVVJ',1,'{"at":0,"kind":"human","n":1,"name":"anna","r":"taken","seat":0,"who":"06817dc4b9354ab6"}');
INSERT INTO "record" VALUES('FVVJ',2,'{"at":0,"n":2,"r":"host","who":"06817dc4b9354ab6"}');
INSERT INTO "record" VALUES('FVVJ',3,'{"at":8,"kind":"bot","n":3,"name":"bert","r":"taken","seat":1,"who":"ce90a380be79d1b9"}');
INSERT INTO "record" VALUES('FVVJ',4,'{"at":12,"banks":[0,0],"commit":"eaadfa777e09b34ea7b7c1184d65731d694f24fb35c38d0949bccacf8bd436e3","context":"FVVJ/1","game":"uno","match":1,"n":4,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"06817dc4b9354ab6"},{"kind":"bot","name":"bert","who":"ce90a380be79d1b9"}],"r":"begun","rids":[1,1],"room":1,"rules":1,"secret":"bbe10bb550addca11f11290417c90603c9d94e34c1ebaee0e55b3545c3ba6af0"}');
INSERT INTO "record" VALUES('FVVJ',5,'{"act":{"card":41,"do":"play"},"at":20,"n":5,"r":"act","rid":1,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',6,'{"act":{"card":28,"do":"play"},"at":30,"n":6,"r":"act","rid":1,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',7,'{"act":{"card":100,"colour":"red","do":"play"},"at":32,"n":7,"r":"act","rid":2,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',8,'{"act":{"card":12,"do":"play"},"at":40,"n":8,"r":"act","rid":2,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',9,'{"act":{"card":5,"do":"play"},"at":44,"n":9,"r":"act","rid":3,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',10,'{"act":{"do":"draw"},"at":48,"n":10,"r":"act","rid":3,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',11,'{"act":{"card":81,"do":"play"},"at":52,"n":11,"r":"act","rid":4,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',12,'{"act":{"card":6,"do":"play"},"at":56,"n":12,"r":"act","rid":4,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',13,'{"act":{"do":"draw"},"at":60,"n":13,"r":"act","rid":5,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',14,'{"act":{"do":"pass"},"at":64,"n":14,"r":"act","rid":6,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',15,'{"act":{"card":19,"do":"play"},"at":68,"n":15,"r":"act","rid":5,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',16,'{"act":{"do":"draw"},"at":72,"n":16,"r":"act","rid":6,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',17,'{"act":{"card":14,"do":"play"},"at":76,"n":17,"r":"act","rid":7,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',18,'{"act":{"card":88,"do":"play"},"at":84,"n":18,"r":"act","rid":7,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',19,'{"act":{"card":87,"do":"play","uno":true},"at":92,"n":19,"r":"act","rid":8,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',20,'{"act":{"card":76,"do":"play"},"at":100,"n":20,"r":"act","rid":8,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',21,'{"act":{"card":89,"do":"play"},"at":108,"n":21,"r":"act","rid":9,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',22,'{"at":108,"n":22,"r":"over","ranks":[1,2],"scores":[49,0],"state":"b25a4c86c5dc1c7976070f5b13b0d4a2b14a6d5d6b6ddcf1831e5e70942c3b05","why":"round"}');
INSERT INTO "record" VALUES('FVVJ',23,'{"at":114,"banks":[0,0],"commit":"4037afe7c74d61509c2112cd14b27e640535a7676db497a4ea3dd35c1b8f6123","context":"FVVJ/2","game":"uno","match":2,"n":23,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"06817dc4b9354ab6"},{"kind":"bot","name":"bert","who":"ce90a380be79d1b9"}],"r":"begun","rids":[10,9],"room":1,"rules":1,"secret":"024fabb84b7809f48cb9c007e8a2b543b19f0cf4390e2f45ce25a14638296fa9"}');
INSERT INTO "record" VALUES('FVVJ',24,'{"act":{"card":9,"do":"play"},"at":120,"n":24,"r":"act","rid":10,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',25,'{"act":{"card":2,"do":"play"},"at":128,"n":25,"r":"act","rid":9,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',26,'{"act":{"card":11,"do":"play"},"at":132,"n":26,"r":"act","rid":11,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',27,'{"act":{"card":12,"do":"play"},"at":140,"n":27,"r":"act","rid":10,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',28,'{"act":{"card":17,"do":"play"},"at":148,"n":28,"r":"act","rid":12,"seat":0}');
INSERT INTO "record" VALUES('FVVJ',29,'{"act":{"card":21,"do":"play"},"at":156,"n":29,"r":"act","rid":11,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',30,'{"act":{"card":72,"do":"play"},"at":164,"n":30,"r":"act","rid":12,"seat":1}');
INSERT INTO "record" VALUES('FVVJ',31,'{"act":{"card":58,"do":"play"},"at":172,"n":31,"r":"act","rid":13,"seat":1}');
INSERT INTO "record" VALUES('MXPM',0,'{"at":0,"clock":{"add":15000,"bank":60000},"code":"MXPM","game":"uno","hints":true,"kept":true,"kinds":"any","master":"12590a347243836b8d84f11ccb1dbc0f9d4cf336b2c894f455bc1955302722d5","n":0,"options":{"breath":750,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"race","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"pairing":0,"private":false,"r":"opened","seats":10,"standin":true,"start":"host","version":1,"watch":true}');
CREATE TABLE result (
    digest TEXT, seat INTEGER, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
    score INTEGER NOT NULL, style TEXT, house INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (digest, seat)
) WITHOUT ROWID;
INSERT INTO "result" VALUES('9526f1a754287064b71fc42ab6d8005b42aee49af6df71677bd5dbe22c945667',0,'06817dc4b9354ab6','anna','human',1,49,NULL,0);
INSERT INTO "result" VALUES('9526f1a754287064b71fc42ab6d8005b42aee49af6df71677bd5dbe22c945667',1,'ce90a380be79d1b9','bert','bot',2,0,'hard',0);
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch INTEGER NOT NULL, open INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "room" VALUES('FVVJ',1,1,0);
INSERT INTO "room" VALUES('MXPM',1,1,1);
CREATE TABLE seat (room TEXT, who TEXT, PRIMARY KEY (room, who)) WITHOUT ROWID;
INSERT INTO "seat" VALUES('FVVJ','06817dc4b9354ab6');
INSERT INTO "seat" VALUES('FVVJ','ce90a380be79d1b9');
CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "secret" VALUES('daily','48c52a65a1d3973993385714551d630727fa83f9b7e96f195aa5a765b1d9d4bb');
CREATE TABLE webhook (
    who TEXT PRIMARY KEY, url TEXT NOT NULL, format TEXT NOT NULL, lang TEXT NOT NULL, off TEXT,
    faults INTEGER NOT NULL DEFAULT 0, hour INTEGER NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO "webhook" VALUES('06817dc4b9354ab6','https://ntfy.example/anna','ntfy','en',NULL,0,489972,1);
CREATE INDEX match_of_room ON match (room, ended);
CREATE VIEW log AS SELECT room, n, line FROM record UNION ALL SELECT room, n, line FROM recent;
CREATE INDEX profile_of_person ON profile (who)
;
CREATE INDEX daily_of_name ON daily (key, board, day);
CREATE INDEX daily_of_person ON daily (who)
;
PRAGMA user_version = 15;
COMMIT;
