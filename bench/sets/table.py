"""The data sets of the accuracy suite, in one table: files, split, source."""

from dataclasses import dataclass

from .readers import arff, images, labelled_lines, libsvm, table, text_and_labels, text_column


@dataclass(frozen=True)
class Set:
    name: str
    reader: object  # path -> rows: (label, {feature: value as text or number}), or (label, LIBSVM text)
    train: str
    test: str = ""
    source: str = ""
    positive: str = ""  # this class against the rest
    renamed: tuple = ()  # (label, what it is called in the other file)
    shuffled: bool = False  # the training rows: for files that are sorted by class or by time
    scaled: bool = False  # every column divided by its largest magnitude among the training rows
    progressive: bool = False  # a stream: every row predicted before it is learned, none held out

    def how(self):
        words = ["test file" if self.test else "progressive" if self.progressive else "every fifth row"]
        words += ["rows shuffled"] * self.shuffled + ["columns scaled"] * self.scaled
        return ", ".join(words)


MADE = "made by bench/cc/make_inputs"
UCI = "UCI; "
TWEETS = "TweetEval; cardiffnlp/tweeteval"

SETS = [
    Set("A", libsvm, "sparse.svm", "sparse-held-out.svm", MADE),
    Set("A, second seed", libsvm, "sparse-2.svm", "sparse-2-held-out.svm", MADE),
    Set("a9a", libsvm, "a9a/a9a", "a9a/a9a.t", UCI + "adult as LIBSVM's page has it",
        renamed=(("0", "-1"),)),  # fmt: skip
    Set("w8a", libsvm, "w8a/w8a.libsvm.gz", source="LIBSVM's page; sorted by class"),
    Set("w8a, shuffled", libsvm, "w8a/w8a.libsvm.gz", source="LIBSVM's page", shuffled=True),
    Set("imdb", libsvm, "imdb/imdb.libsvm.gz", "imdb/imdb.t.libsvm.gz", "Maas et al., counts of words"),
    Set("reuters earn", libsvm, "reuters21578/reuters21578_earn.libsvm.gz",
        "reuters21578/reuters21578_earn.t.libsvm.gz", "Reuters-21578, ModApte"),  # fmt: skip
    Set("sms_spam", libsvm, "sms_spam/sms_spam.libsvm.gz", source=UCI + "counts of words"),
    Set("spambase", libsvm, "spambase/spambase.libsvm", source="UCI"),
    Set("spambase, scaled", libsvm, "spambase/spambase.libsvm", source="UCI", scaled=True),
    Set("electricity", libsvm, "electricity/electricity.libsvm.gz", source="Harries, NSW", progressive=True),
    Set("MNIST", images, "mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz", "LeCun et al."),
    Set("digits", libsvm, "digits/digits.libsvm", source=UCI + "optdigits, in scikit-learn"),
    # What follows is from public repositories, and no option of ours was chosen by it.
    Set("kddcup99", table(), "kddcup99/kddcup.data_10_percent.gz", "kddcup99/corrected.gz",
        "KDD cup 1999, normal or not, in runs of one class; potash/brf-example", positive="normal"),  # fmt: skip
    Set("kddcup99, shuffled", table(), "kddcup99/kddcup.data_10_percent.gz", "kddcup99/corrected.gz",
        "the same", positive="normal", shuffled=True),  # fmt: skip
    Set("magic", table(), "magic/magic04.data", source=UCI + "bokunwang1/P-norm-Push", shuffled=True),
    Set("magic, scaled", table(), "magic/magic04.data", source=UCI + "the same", shuffled=True, scaled=True),
    Set("skin", table("\t"), "skin/Skin_NonSkin.txt", source=UCI + "samhiggs/kmeans-algorithm", shuffled=True),
    Set("htru2", table(), "htru2/HTRU_2.csv", source=UCI + "samhiggs/kmeans-algorithm"),
    Set("htru2, scaled", table(), "htru2/HTRU_2.csv", source=UCI + "the same", scaled=True),
    Set("bank marketing", table(header=True), "bank_marketing/training_set_label.csv",
        source=UCI + "in order of time; aiplanethub/Datasets"),  # fmt: skip
    Set("bank marketing, shuffled", table(header=True), "bank_marketing/training_set_label.csv",
        source=UCI + "the same", shuffled=True),  # fmt: skip
    Set("adult, raw", table(), "adult/adult-train.csv", "adult/adult-test.csv", UCI + "jbrownlee/Datasets"),
    Set("travel insurance", table(header=True), "travel_insurance/Training_set_label.csv",
        source="aiplanethub/Datasets"),  # fmt: skip
    Set("phishing pages", table(header=True, drop=("url",)), "phishing_urls/Training_set_label.csv",
        source="Hannousse and Yahiouche; aiplanethub/Datasets"),  # fmt: skip
    Set("mammography", table(), "mammography/mammography.csv", source="jbrownlee/Datasets", shuffled=True),
    Set("cyberbullying", text_column("Text", "oh_label"), "cyberbullying/Training_set_label.csv",
        source="words; aiplanethub/Datasets"),  # fmt: skip
    Set("subjectivity", labelled_lines(" "), "subj/subj.all",
        source="words; harvardnlp/sent-conv-torch", shuffled=True),  # fmt: skip
    Set("film reviews", labelled_lines(" "), "rt_polarity/rt-polarity.all",
        source="words; harvardnlp/sent-conv-torch", shuffled=True),  # fmt: skip
    Set("stsa", labelled_lines(" "), "stsa/stsa.binary.train", "stsa/stsa.binary.test",
        "words; harvardnlp/sent-conv-torch"),  # fmt: skip
    Set("hate", text_and_labels, "tweeteval/hate_train_text.txt", "tweeteval/hate_test_text.txt", TWEETS),
    Set("offensive", text_and_labels, "tweeteval/offensive_train_text.txt", "tweeteval/offensive_test_text.txt",
        TWEETS),  # fmt: skip
    Set("emoji", text_and_labels, "tweeteval/emoji_train_text.txt", "tweeteval/emoji_test_text.txt", TWEETS),
    Set("reuters 8", labelled_lines("\t"), "r8/train.txt", "r8/test.txt", "words; yao8839836/text_gcn"),
    Set("letter", arff, "letter/letter.arff", source=UCI + "renatopp/arff-datasets"),
    Set("pendigits", arff, "pendigits/pendigits.arff", source=UCI + "renatopp/arff-datasets"),
    Set("satimage", table("\t", header=True), "satimage/sat.trn", "satimage/sat.tst",
        UCI + "YannisSch/Statlog_Landstat_Satellite_Project", shuffled=True),  # fmt: skip
    Set("nursery", arff, "nursery/nursery.arff", source=UCI + "renatopp/arff-datasets", shuffled=True),
]
